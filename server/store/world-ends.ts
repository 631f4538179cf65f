import type { Transaction } from 'kysely';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { DEFAULT_SETTINGS, type WorldBeginning } from '../domain/worlds/settings.ts';
import { resetPassengers } from './passengers.ts';
import { type Database, flag } from './schema.ts';
import { holdBeginning, toClockColumns } from './worlds.ts';

type Tx = Transaction<Database>;

/** How many rides one statement deletes, with their events: on PostgreSQL a statement may take a few seconds only. */
export const MOST_RIDES_AT_ONCE = 5000;

/**
 * Resets a sandbox. Client tokens stay. Passengers who exist in the live world stay with their tokens, and get their
 * live data again. All others are deleted with their tokens. Throws WorldGone.
 * @param realNow milliseconds UTC
 */
export async function resetWorld(tx: Tx, worldId: string, realNow: number): Promise<void> {
  const { now, running, autoAdvance, limits } = await holdEmptied(tx, worldId);
  await resetPassengers(tx, worldId, LIVE_WORLD.id, realNow);
  await tx
    .updateTable('worlds')
    .set((row) => ({
      ...toClockColumns({ realAnchor: realNow, worldAnchor: now ?? realNow, running }),
      autoAdvance: flag(autoAdvance),
      settings: JSON.stringify({ ...DEFAULT_SETTINGS, limits }),
      resets: row('resets', '+', 1),
      idCounter: 0,
    }))
    .where('id', '=', worldId)
    .execute();
}

/** Deletes a sandbox with everything in it. Throws WorldGone. */
export async function deleteWorld(tx: Tx, worldId: string): Promise<void> {
  await holdEmptied(tx, worldId);
  await tx.deleteFrom('passengers').where('worldId', '=', worldId).execute();
  await tx.deleteFrom('accessTokens').where('worldId', '=', worldId).execute();
  await tx.deleteFrom('worlds').where('id', '=', worldId).execute();
}

/** Locks a sandbox, and deletes its rides with their timers and events. @returns its beginning. Throws WorldGone. */
async function holdEmptied(tx: Tx, worldId: string): Promise<WorldBeginning> {
  const beginning = await holdBeginning(tx, worldId);
  await deleteRides(tx, worldId);
  await tx.deleteFrom('timers').where('worldId', '=', worldId).execute();
  return beginning;
}

/** By ranges of ids: PostgreSQL compares a list of ids with every ride when its statistics are old. */
async function deleteRides(tx: Tx, worldId: string): Promise<void> {
  const first = tx.selectFrom('rides').select('id').where('worldId', '=', worldId).orderBy('id').limit(1);
  const all = tx.deleteFrom('rides').where('worldId', '=', worldId);
  for (;;) {
    const last = await first.offset(MOST_RIDES_AT_ONCE - 1).executeTakeFirst();
    if (last === undefined) break;
    await all.where('id', '<=', last.id).execute();
  }
  await all.execute();
}
