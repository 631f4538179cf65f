import { sql, type Transaction } from 'kysely';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { DEFAULT_SETTINGS, type WorldBeginning } from '../domain/worlds/settings.ts';
import { insertPassengerIfAbsent, passengersOfBoth } from './passengers.ts';
import { type Database, flag } from './schema.ts';
import { holdBeginning, toClockColumns } from './worlds.ts';

type Tx = Transaction<Database>;

/**
 * Brings a sandbox back to how it began. Tokens of applications stay, and passengers who are known in the live world, as they are there;
 * the others go with their tokens. Throws WorldGone.
 *
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

/** Deletes a sandbox with all that is in it. Throws WorldGone. */
export async function deleteWorld(tx: Tx, worldId: string): Promise<void> {
  await holdEmptied(tx, worldId);
  await deleteTokens(tx, worldId, null);
  await tx.deleteFrom('passengers').where('worldId', '=', worldId).execute();
  await tx.deleteFrom('worlds').where('id', '=', worldId).execute();
}

/** Locks a sandbox, and deletes its rides and all that follows from them. @returns how it began. Throws WorldGone. */
async function holdEmptied(tx: Tx, worldId: string): Promise<WorldBeginning> {
  // a change of a ride locks the ride and then its world; the second statement deletes the rides that came in between
  await tx.deleteFrom('rides').where('worldId', '=', worldId).execute();
  const beginning = await holdBeginning(tx, worldId);
  await tx.deleteFrom('rides').where('worldId', '=', worldId).execute();
  await tx.deleteFrom('timers').where('worldId', '=', worldId).execute();
  await tx.deleteFrom('usedCostTokens').where('worldId', '=', worldId).execute();
  const events = tx
    .selectFrom('events')
    .select('eventId')
    .where('worldId', '=', worldId)
    // in these words SQLite finds the index over what is not of the live world
    .where('worldId', '<>', sql.lit(LIVE_WORLD.id));
  await tx.deleteFrom('attempts').where('eventId', 'in', events).execute();
  await tx.deleteFrom('deliveries').where('eventId', 'in', events).execute();
  await tx.deleteFrom('events').where('worldId', '=', worldId).where('worldId', '<>', sql.lit(LIVE_WORLD.id)).execute();
  return beginning;
}

/**
 * Deletes the tokens of a sandbox.
 *
 * @param except passengers whose tokens stay, and with them those of applications; null: none stay
 */
async function deleteTokens(tx: Tx, worldId: string, except: readonly string[] | null): Promise<void> {
  // refresh tokens first: until they are gone, access tokens are issued from them
  for (const table of ['refreshTokens', 'accessTokens'] as const) {
    const tokens = tx.deleteFrom(table).where('worldId', '=', worldId).where('worldId', '<>', sql.lit(LIVE_WORLD.id));
    const ofPassengers = except === null ? tokens : tokens.where('passengerId', 'is not', null);
    const going =
      except === null || except.length === 0 ? ofPassengers : ofPassengers.where('passengerId', 'not in', except);
    await going.execute();
  }
}
