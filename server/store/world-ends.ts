import type { Transaction } from 'kysely';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { DEFAULT_SETTINGS, type WorldBeginning } from '../domain/worlds/settings.ts';
import { hasRowLocks } from './dialect.ts';
import { resetPassengers } from './passengers.ts';
import { type Database, flag } from './schema.ts';
import { holdBeginning, toClockColumns } from './worlds.ts';

type Tx = Transaction<Database>;

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
  const rides = tx.selectFrom('rides').select('id').where('worldId', '=', worldId);
  // lock order: rides, then world
  if (hasRowLocks(tx)) await rides.orderBy('id').forUpdate().execute();
  const beginning = await holdBeginning(tx, worldId);
  await tx.deleteFrom('rides').where('worldId', '=', worldId).execute();
  await tx.deleteFrom('timers').where('worldId', '=', worldId).execute();
  return beginning;
}
