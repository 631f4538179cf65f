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
/** How long the server still reports an expired token, and recognizes a code used twice. */
const KEPT_AFTER_EXPIRY_MS = DAY_MS;
/**
 * How long a used cost token is remembered: well beyond its lifetime, because two servers' clocks never quite agree.
 */
const USE_REMEMBERED_MS = HOUR_MS;

/** How long a decision can be taken. The browser that made it takes it at once. */
const DECISION_KEPT_MS = HOUR_MS;
/** How long an event can be looked up and sent again. */
const EVENT_KEPT_MS = 30 * DAY_MS;

/** Deletes expired credentials and old decisions, events and used cost tokens. */
export async function sweep({ store, now }: Pick<Parts, 'store' | 'now'>): Promise<void> {
  await deleteExpired(store.db, now() - KEPT_AFTER_EXPIRY_MS);
  await deleteExpiredSessions(store.db, now());
  await forgetDecisions(store.db, now() - DECISION_KEPT_MS);
  while ((await store.transaction((tx) => deleteOldEvents(tx, now() - EVENT_KEPT_MS))) > 0);
  for (const worldId of await worldsOfUsedCostTokens(store.db)) {
    // a cost token expires by its world's clock: while that is frozen, a client may send it again at any real time
    const world = await findWorld(store.db, worldId);
    if (world !== undefined) {
      await forgetUsedCostTokens(store.db, worldId, worldTime(world.clock, now()) - USE_REMEMBERED_MS);
    }
  }
}

/** Sweeps at once and then every hour, until it is stopped. A failed sweep is logged, and the next one catches up. */
export function startSweeper(parts: Pick<Parts, 'store' | 'now' | 'logger'>): { stop(): void } {
  const run = () =>
    void sweep(parts).catch((error: unknown) => parts.logger.error({ err: error }, 'what has expired stays for now'));
  run();
  const timer = setInterval(run, SWEEP_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
