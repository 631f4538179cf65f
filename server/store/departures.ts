import { sql, type Transaction } from 'kysely';
import type { Ride } from '../domain/rides/ride.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { endAccess } from './consents.ts';
import { hasRowLocks, listOf } from './dialect.ts';
import type { Engine } from './open.ts';
import { HASH_AFTER_LEAVING } from './passengers.ts';
import { deletePhoneCode } from './phone-codes.ts';
import { finishedRidesOf, updateRide } from './rides.ts';
import type { Database, Queries } from './schema.ts';
import { deleteSignIns } from './sessions.ts';
import { OF_PASSENGERS } from './sign-in-tables.ts';
import { MOST_ROWS_SWEPT_AT_ONCE } from './tokens.ts';

type Tx = Transaction<Database>;

/**
 * Rides of a passenger who left that one transaction deals with, each with its events and their attempts. On SQLite
 * nothing else runs meanwhile.
 */
export const MOST_RIDES_LEFT_AT_ONCE = { sqlite: 10, postgres: 100 } as const satisfies Record<Engine, number>;

/** A passenger of a world who has left, and whose rides are still to be dealt with. */
export interface Departure {
  readonly worldId: string;
  readonly passengerId: string;
  /** Real milliseconds UTC. */
  readonly leftAt: number;
}

/**
 * Ends the account of a live passenger, and their stand-ins in sandboxes: access of applications, sessions and personal
 * data end with the transaction, and the email is free. `leaveSome` deals with the rides.
 * @param passwordHash of the password that was checked
 * @returns 'left'; 'riding': nothing was changed, because a ride is active; 'stale': nothing was changed, because the
 * password is another one by now
 */
export async function beginDeparture(
  tx: Tx,
  { id, passwordHash }: { readonly id: string; readonly passwordHash: string },
  at: number,
): Promise<'left' | 'riding' | 'stale'> {
  const row = await tx
    .selectFrom('passengers')
    .select('passwordHash')
    .where('worldId', '=', LIVE_WORLD.id)
    .where('id', '=', id)
    .$if(hasRowLocks(tx), (query) => query.forUpdate())
    .executeTakeFirst();
  if (row?.passwordHash !== passwordHash) return 'stale';
  if (await hasActiveRide(tx, LIVE_WORLD.id, id)) return 'riding';
  await endAccess(tx, id, at);
  await deleteSignIns(tx, OF_PASSENGERS, id);
  await deletePhoneCode(tx, id);
  await tx
    .insertInto('departures')
    .columns(['worldId', 'passengerId', 'leftAt'])
    .expression(
      tx
        .selectFrom('passengers')
        .select(({ ref, cast, val }) => [
          ref('passengers.worldId').as('worldId'),
          ref('passengers.id').as('passengerId'),
          cast<number>(val(at), 'bigint').as('leftAt'),
        ])
        .where('id', '=', id),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // the row stays for calls under way, and for a ride that one of them may just request
  await tx
    .updateTable('passengers')
    .set({
      // no email address, so nobody can have it before
      email: `deleted ${id}`,
      passwordHash: HASH_AFTER_LEAVING,
      firstName: 'Deleted',
      lastName: 'passenger',
      imageUrl: null,
      rating: null,
      phoneNumber: null,
      phoneVerified: 0,
      paymentMethod: null,
      businessProfile: 0,
      accountDisabled: 1,
    })
    .where('id', '=', id)
    .execute();
  return 'left';
}

export async function departures(db: Queries, passengerId?: string): Promise<readonly Departure[]> {
  return db
    .selectFrom('departures')
    .selectAll()
    .$if(passengerId !== undefined, (rows) => rows.where('passengerId', '=', passengerId!))
    .orderBy('leftAt')
    .execute();
}

/**
 * Deals with some rides of a passenger who left: those of the live world are rewritten, and those of a sandbox deleted.
 * Their events go with all deliveries that wait.
 * @param rewrite makes a finished ride anonymous
 * @returns whether there may be more
 */
export async function leaveSome(
  tx: Tx,
  { worldId, passengerId }: Departure,
  most: number,
  rewrite: (ride: Ride) => Ride,
): Promise<boolean> {
  if (worldId !== LIVE_WORLD.id) return deleteSomeRides(tx, worldId, passengerId, most);
  const rides = await finishedRidesOf(tx, worldId, passengerId, most);
  const ids = rides.map(({ id }) => id);
  await deleteEvents(tx, worldId, ids);
  for (const ride of rides) await updateRide(tx, rewrite(ride));
  return rides.length === most;
}

async function deleteSomeRides(tx: Tx, worldId: string, passengerId: string, most: number): Promise<boolean> {
  // lock order: world, then rides
  await tx
    .selectFrom('worlds')
    .select('id')
    .where('id', '=', worldId)
    .$if(hasRowLocks(tx), (query) => query.forNoKeyUpdate())
    .execute();
  const rows = await tx
    .selectFrom('rides')
    .select('id')
    .where('worldId', '=', worldId)
    .where('passengerId', '=', passengerId)
    .limit(most)
    .execute();
  const ids = rows.map(({ id }) => id);
  await deleteEvents(tx, worldId, ids);
  await tx.deleteFrom('rides').where('worldId', '=', worldId).where('id', 'in', listOf(tx, ids)).execute();
  return ids.length === most;
}

/** Deletes the events of rides with their deliveries and attempts, and the rides' timers. */
async function deleteEvents(tx: Tx, worldId: string, rideIds: readonly string[]): Promise<void> {
  const ids = listOf(tx, rideIds);
  await tx.deleteFrom('events').where('worldId', '=', worldId).where('rideId', 'in', ids).execute();
  await tx.deleteFrom('timers').where('worldId', '=', worldId).where('subjectId', 'in', ids).execute();
}

/**
 * Deletes the row of a passenger who left, unless a ride of theirs is left.
 * @returns whether there may be more tokens to delete first
 */
export async function endDeparture(tx: Tx, { worldId, passengerId }: Departure): Promise<boolean> {
  if (await hasActiveRide(tx, worldId, passengerId)) return false;
  for (const table of ['access_tokens', 'refresh_tokens'] as const) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where token_hash in (
        select token_hash from ${sql.table(table)} where world_id = ${worldId} and passenger_id = ${passengerId}
        limit ${sql.lit(MOST_ROWS_SWEPT_AT_ONCE)}
      )`.execute(tx);
    if (numAffectedRows === BigInt(MOST_ROWS_SWEPT_AT_ONCE)) return true;
  }
  if (worldId === LIVE_WORLD.id) {
    await tx.deleteFrom('authorizationCodes').where('passengerId', '=', passengerId).execute();
  }
  await tx.deleteFrom('passengers').where('worldId', '=', worldId).where('id', '=', passengerId).execute();
  await tx.deleteFrom('departures').where('worldId', '=', worldId).where('passengerId', '=', passengerId).execute();
  return false;
}

async function hasActiveRide(tx: Tx, worldId: string, passengerId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('rides')
    .select('id')
    .where('worldId', '=', worldId)
    .where('passengerId', '=', passengerId)
    .where('active', '=', sql.lit<1>(1))
    .executeTakeFirst();
  return row !== undefined;
}
