import { setImmediate as nextTurn } from 'node:timers/promises';
import { DAY_MS, HOUR_MS } from '../domain/time.ts';
import type { Parts } from '../parts.ts';
import { forgetDecisions } from '../store/decisions.ts';
import { deleteOldEvents, OLDEST_EVENT, type OldEvent } from '../store/events.ts';
import { deleteExpiredSessions } from '../store/sessions.ts';
import { deleteExpired } from '../store/tokens.ts';
import { deleteForgottenWorlds } from './forgotten-worlds.ts';
import { type SettlingParts, settleWorlds } from './settle-world.ts';
import { finishEnds } from './world-ends.ts';

const SWEEP_EVERY_MS = HOUR_MS;
/** How long the server still reports an expired token, and recognizes a code used twice. */
const KEPT_AFTER_EXPIRY_MS = DAY_MS;
/** How long a decision can be taken. The browser that made it takes it at once. */
const DECISION_KEPT_MS = HOUR_MS;
/** How long an event can be looked up and sent again. */
const EVENT_KEPT_MS = 30 * DAY_MS;

/**
 * Settles, resets and deletes the worlds that a server left half done; deletes expired credentials, old decisions and
 * events, and unused sandboxes.
 */
export async function sweep(parts: SettlingParts): Promise<void> {
  const { store, now } = parts;
  await settleWorlds(parts);
  await finishEnds(parts);
  await inTurns(() => deleteExpired(store.db, now() - KEPT_AFTER_EXPIRY_MS));
  await inTurns(() => deleteExpiredSessions(store.db, now()));
  await inTurns(() => forgetDecisions(store.db, now() - DECISION_KEPT_MS));
  let after: OldEvent | null = OLDEST_EVENT;
  while (after !== null) {
    const from: OldEvent = after;
    after = await store.transaction((tx) => deleteOldEvents(tx, now() - EVENT_KEPT_MS, from));
    await nextTurn();
  }
  await deleteForgottenWorlds(parts);
}

/** Deletes some rows until none is left. Others are served in between. */
async function inTurns(deleteSome: () => Promise<number>): Promise<void> {
  while ((await deleteSome()) > 0) await nextTurn();
}

/** Sweeps at once and then every hour, until it is stopped. A failed sweep is logged, and the next one catches up. */
export function startSweeper(parts: SettlingParts & Pick<Parts, 'logger'>): { stop(): void } {
  const run = () =>
    void sweep(parts).catch((error: unknown) => parts.logger.error({ err: error }, 'what has expired stays for now'));
  run();
  const timer = setInterval(run, SWEEP_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
