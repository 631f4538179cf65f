import { sql, type Transaction } from 'kysely';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { DEFAULT_SETTINGS, type WorldBeginning } from '../domain/worlds/settings.ts';
import { insertPassengerIfAbsent, passengersOfBoth } from './passengers.ts';
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
  const consented = await passengersOfBoth(tx, worldId, LIVE_WORLD.id);
  await deleteTokens(
    tx,
    worldId,
    consented.map(({ id }) => id),
  );
  await tx.deleteFrom('passengers').where('worldId', '=', worldId).execute();
  for (const passenger of consented) {
    await insertPassengerIfAbsent(tx, { ...passenger, worldId, hasTakenARide: false, createdAt: realNow });
  }
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
  await deleteTokens(tx, worldId, null);
  await tx.deleteFrom('passengers').where('worldId', '=', worldId).execute();
  await tx.deleteFrom('worlds').where('id', '=', worldId).execute();
}

/** Locks a sandbox, and deletes its rides with their timers and events. @returns its beginning. Throws WorldGone. */
async function holdEmptied(tx: Tx, worldId: string): Promise<WorldBeginning> {
  // lock order: rides, then world. The second delete catches rides added before the world was locked
  await tx.deleteFrom('rides').where('worldId', '=', worldId).execute();
  const beginning = await holdBeginning(tx, worldId);
  await tx.deleteFrom('rides').where('worldId', '=', worldId).execute();
  await tx.deleteFrom('timers').where('worldId', '=', worldId).execute();
  await tx.deleteFrom('usedCostTokens').where('worldId', '=', worldId).execute();
  const events = tx
    .selectFrom('events')
    .select('eventId')
    .where('worldId', '=', worldId)
    // with this condition SQLite uses the partial index over sandboxes
    .where('worldId', '<>', sql.lit(LIVE_WORLD.id));
  await tx.deleteFrom('attempts').where('eventId', 'in', events).execute();
  await tx.deleteFrom('deliveries').where('eventId', 'in', events).execute();
  await tx.deleteFrom('events').where('worldId', '=', worldId).where('worldId', '<>', sql.lit(LIVE_WORLD.id)).execute();
  return beginning;
}

/** @param except passengers whose tokens stay, along with client tokens; null: no token stays */
async function deleteTokens(tx: Tx, worldId: string, except: readonly string[] | null): Promise<void> {
  // refresh tokens first: until they are deleted, they can issue access tokens
  for (const table of ['refreshTokens', 'accessTokens'] as const) {
    const tokens = tx.deleteFrom(table).where('worldId', '=', worldId).where('worldId', '<>', sql.lit(LIVE_WORLD.id));
    const ofPassengers = except === null ? tokens : tokens.where('passengerId', 'is not', null);
    const going =
      except === null || except.length === 0 ? ofPassengers : ofPassengers.where('passengerId', 'not in', except);
    await going.execute();
  }
}
