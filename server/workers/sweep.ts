import { DAY_MS, HOUR_MS } from '../domain/time.ts';
import { worldTime } from '../domain/worlds/clock.ts';
import type { Parts } from '../parts.ts';
import { forgetUsedCostTokens, worldsOfUsedCostTokens } from '../store/cost-tokens.ts';
import { forgetDecisions } from '../store/decisions.ts';
import { deleteOldEvents } from '../store/events.ts';
import { deleteExpiredSessions } from '../store/sessions.ts';
import { deleteExpired } from '../store/tokens.ts';
import { findWorld } from '../store/worlds.ts';

const SWEEP_EVERY_MS = HOUR_MS;
/** How long an expired token is still told so, and a code that was used twice still recognized. */
const KEPT_AFTER_EXPIRY_MS = DAY_MS;
/** How long a used cost token is remembered: well beyond its minute, for two servers' clocks never quite agree. */
const USE_REMEMBERED_MS = HOUR_MS;

/** How long a decision waits to be taken, which the browser that made it does at once. */
const DECISION_KEPT_MS = HOUR_MS;
/** How long an event can be looked up and sent again. */
const EVENT_KEPT_MS = 30 * DAY_MS;

/** Deletes the credentials, the decisions, the events and the traces of used prices that nobody will ask about anymore. */
export async function sweep({ store, now }: Pick<Parts, 'store' | 'now'>): Promise<void> {
  await deleteExpired(store.db, now() - KEPT_AFTER_EXPIRY_MS);
  await deleteExpiredSessions(store.db, now());
  await forgetDecisions(store.db, now() - DECISION_KEPT_MS);
  while ((await store.transaction((tx) => deleteOldEvents(tx, now() - EVENT_KEPT_MS))) > 0);
  for (const worldId of await worldsOfUsedCostTokens(store.db)) {
    // a token lives by its world's clock: while that is frozen, it may be sent again at any real time
    const world = await findWorld(store.db, worldId);
    if (world !== undefined) {
      await forgetUsedCostTokens(store.db, worldId, worldTime(world.clock, now()) - USE_REMEMBERED_MS);
    }
  }
}

/** Sweeps at once and then every hour, until it is stopped. A sweep that fails is logged; the next one makes up for it. */
export function startSweeper(parts: Pick<Parts, 'store' | 'now' | 'logger'>): { stop(): void } {
  const run = () =>
    void sweep(parts).catch((error: unknown) => parts.logger.error({ err: error }, 'what has expired stays for now'));
  run();
  const timer = setInterval(run, SWEEP_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
