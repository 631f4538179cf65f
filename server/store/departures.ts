import { sql, type Updateable } from 'kysely';
import type { Passenger } from '../domain/passenger.ts';
import type { Erased, PASSENGER_DATA } from '../domain/personal-data.ts';
import type { Ride } from '../domain/rides/ride.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { endAccess } from './consents.ts';
import { deleteSomeTokens, MOST_ROWS_SWEPT_AT_ONCE } from './delete-some.ts';
import { hasRowLocks, hiddenText, listOfColumn } from './engine/dialect.ts';
import type { Engine } from './engine/open.ts';
import { equal } from './equal.ts';
import { HASH_AFTER_LEAVING } from './passengers.ts';
import { deletePhoneCode } from './phone-codes.ts';
import { finishedRidesOf, updateRide } from './rides.ts';
import type { Database, DepartureRow, Queries, Tx } from './schema.ts';
import { deleteSignIns } from './sessions.ts';
import { OF_PASSENGERS } from './sign-in-tables.ts';
import { RIDE_TIMER } from './timers.ts';

/**
 * Rides of a deleted account that one transaction rewrites, each with its events and attempts. SQLite runs nothing else
 * in the meantime.
 * @beyond more transactions follow, and other work runs in between
 */
export const MOST_RIDES_LEFT_AT_ONCE = { sqlite: 10, postgres: 100 } as const satisfies Record<Engine, number>;

/** A passenger who has left a world, and whose rides are not processed yet. */
export type Departure = Readonly<DepartureRow>;

/** A live passenger, and the password hash with which they confirmed. */
export type Leaving = Pick<Passenger, 'id' | 'passwordHash'>;

/**
 * Deletes a live passenger's account and its stand-ins in sandboxes. Application access, sessions and personal data end
 * with this transaction, and the email becomes free. `leaveSome` processes the rides.
 * @returns 'left' on success. Otherwise nothing changes: 'riding' if a ride is active, 'stale' if the password has
 *   changed
 */
export async function beginDeparture(tx: Tx, leaving: Leaving, at: number): Promise<'left' | 'riding' | 'stale'> {
  const { id } = leaving;
  // lock order: passenger and stand-ins, then codes and tokens, as in the token endpoint
  await tx
    .selectFrom('passengers')
    .select('id')
    .where('id', '=', id)
    .orderBy('worldId')
    .$if(hasRowLocks(tx), (query) => query.forUpdate())
    .execute();
  const answer = await mayLeave(tx, leaving);
  if (answer !== 'left') return answer;
  await endAccess(tx, id, at);
  await deleteSignIns(tx, OF_PASSENGERS, id);
  await deletePhoneCode(tx, id);
  await tx
    .insertInto('departures')
    .columns(['worldId', 'passengerId', 'leftAt'])
    .expression(
      tx
        .selectFrom('passengers')
        .select(['worldId', 'id as passengerId', sql<number>`cast(${at} as bigint)`.as('leftAt')])
        .where('id', '=', id),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // the row stays for concurrent calls, and for a ride that one of them may be requesting
  const erased: Pick<Updateable<Database['passengers']>, Erased<typeof PASSENGER_DATA>> = {
    // not a valid email address, so no account can already have it
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
  };
  await tx.updateTable('passengers').set(erased).where('id', '=', id).execute();
  return 'left';
}

/** What `beginDeparture` will return. */
export async function mayLeave(db: Queries, { id, passwordHash }: Leaving): Promise<'left' | 'riding' | 'stale'> {
  const live = db
    .selectFrom('passengers')
    .select('passwordHash')
    .where(equal({ worldId: LIVE_WORLD.id, id }));
  if ((await live.executeTakeFirst())?.passwordHash !== passwordHash) return 'stale';
  return (await hasActiveRide(db, LIVE_WORLD.id, id)) ? 'riding' : 'left';
}

interface Unused {
  /** Last used before this time, in real milliseconds UTC. */
  readonly before: number;
  /** Refresh tokens last used by then have expired. */
  readonly endedIfLastUsedBy: number;
  /** The application whose passengers stay. */
  readonly except: string;
}

export type UsePlace = Readonly<Pick<Database['passengers'], 'lastUsedAt' | 'worldId' | 'id'>>;

export const FIRST_USE: UsePlace = { lastUsedAt: -1, worldId: '', id: '' };

/**
 * Reads the next batch of passengers of sandboxes by their last use. Begins to delete those of default sandboxes who have
 * not been used for a long time and have no valid refresh token. `leaveSome` and `endDeparture` do the rest.
 * @returns the end of this batch; null when there are no more
 */
export async function departUnused(tx: Tx, unused: Unused, at: number, after: UsePlace): Promise<UsePlace | null> {
  const { before, endedIfLastUsedBy, except } = unused;
  const place = sql`(last_used_at, world_id, id)`;
  // worded as in the partial index, so that these queries can use it
  const next = sql<boolean>`world_id <> 'live' and last_used_at < ${before}
    and ${place} > (${after.lastUsedAt}, ${after.worldId}, ${after.id})`;
  const batch = await tx
    .selectFrom('passengers')
    .select(['lastUsedAt', 'worldId', 'id'])
    .where(next)
    .orderBy('lastUsedAt')
    .orderBy('worldId')
    .orderBy('id')
    .limit(MOST_ROWS_SWEPT_AT_ONCE)
    .execute();
  const last = batch.at(-1);
  if (last === undefined) return null;
  const ofPassenger = sql`world_id = passengers.world_id and passenger_id = passengers.id`;
  // an older server does not record the use
  await sql`
    insert into departures (world_id, passenger_id, left_at)
    select world_id, id, cast(${at} as bigint) from ${sql.table('passengers')}
    where ${next} and ${place} <= (${last.lastUsedAt}, ${last.worldId}, ${last.id}) and created_at < ${before}
    and exists (select 1 from applications where sandbox_world_id = passengers.world_id and id <> ${except})
    and not exists (
      select 1 from refresh_tokens where ${ofPassenger} and revoked_at is null and last_used_at > ${endedIfLastUsedBy}
    )
    ${hasRowLocks(tx) ? sql`for no key update` : sql``}
    on conflict do nothing
  `.execute(tx);
  return last;
}

/** Counts as a use of a sandbox's passenger, and keeps their row. @returns whether they were leaving: then another transaction may just have deleted it */
export async function keepUsed(tx: Tx, worldId: string, passengerId: string, lastUsedAt: number): Promise<boolean> {
  // first: a sweep that has found the passenger unused holds the row, and its departure is then seen below
  await tx
    .updateTable('passengers')
    .set({ lastUsedAt })
    .where(equal({ worldId, id: passengerId }))
    .execute();
  const canceled = await tx.deleteFrom('departures').where(equal({ worldId, passengerId })).executeTakeFirstOrThrow();
  return canceled.numDeletedRows > 0n;
}

/** The departures of a passenger, and of their stand-ins. */
export async function departuresOf(db: Queries, passengerId: string): Promise<readonly Departure[]> {
  return db
    .selectFrom('passengers')
    .innerJoin('departures', (on) =>
      on.onRef('departures.worldId', '=', 'passengers.worldId').onRef('departures.passengerId', '=', 'passengers.id'),
    )
    .selectAll('departures')
    .where('passengers.id', '=', passengerId)
    .execute();
}

/** All departures. Reads a limited number at once. */
export async function* departures(db: Queries): AsyncGenerator<Departure> {
  let after: Pick<Departure, 'worldId' | 'passengerId'> = { worldId: '', passengerId: '' };
  for (;;) {
    const some: Departure[] = await db
      .selectFrom('departures')
      .selectAll()
      .where(sql<boolean>`(world_id, passenger_id) > (${after.worldId}, ${after.passengerId})`)
      .orderBy('worldId')
      .orderBy('passengerId')
      .limit(MOST_ROWS_SWEPT_AT_ONCE)
      .execute();
    yield* some;
    if (some.length < MOST_ROWS_SWEPT_AT_ONCE) return;
    after = some.at(-1)!;
  }
}

/**
 * Processes some rides of a former passenger: rewrites live rides and deletes sandbox rides. Deletes their events with
 * all pending deliveries.
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
  await deleteEvents(tx, worldId, rides);
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
  // with this lock, a call that uses the stand-in has canceled the departure, or waits
  if (!(await isLeaving(tx, worldId, passengerId))) return false;
  const rides = await tx.selectFrom('rides').select('id').where(equal({ worldId, passengerId })).limit(most).execute();
  await deleteEvents(tx, worldId, rides);
  const ids = listOfColumn(tx, rides, 'id');
  await tx.deleteFrom('rides').where('worldId', '=', worldId).where('id', 'in', ids).execute();
  return rides.length === most;
}

/** Deletes the events of rides with their deliveries and attempts, and the rides' timers. */
async function deleteEvents(tx: Tx, worldId: string, rides: readonly Pick<Ride, 'id'>[]): Promise<void> {
  const ids = listOfColumn(tx, rides, 'id');
  await tx.deleteFrom('events').where('worldId', '=', hiddenText(worldId)).where('rideId', 'in', ids).execute();
  const timers = tx.deleteFrom('timers').where(equal({ worldId, kind: RIDE_TIMER }));
  await timers.where('subjectId', 'in', ids).execute();
}

/**
 * Deletes a former passenger's row, unless they still have a ride or their departure was canceled.
 * @returns whether there may be more tokens to delete first
 */
export async function endDeparture(tx: Tx, { worldId, passengerId }: Departure): Promise<boolean> {
  // lock order: passenger, then departure, as for a call that uses a stand-in
  await tx
    .selectFrom('passengers')
    .select('id')
    .where(equal({ worldId, id: passengerId }))
    .$if(hasRowLocks(tx), (query) => query.forUpdate())
    .execute();
  if (!(await isLeaving(tx, worldId, passengerId)) || (await hasActiveRide(tx, worldId, passengerId))) return false;
  if ((await deleteSomeTokens(tx, sql`world_id = ${worldId} and passenger_id = ${passengerId}`)) > 0) return true;
  if (worldId === LIVE_WORLD.id) {
    await tx.deleteFrom('authorizationCodes').where('passengerId', '=', passengerId).execute();
  }
  await tx
    .deleteFrom('passengers')
    .where(equal({ worldId, id: passengerId }))
    .execute();
  await tx.deleteFrom('departures').where(equal({ worldId, passengerId })).execute();
  return false;
}

async function isLeaving(tx: Tx, worldId: string, passengerId: string): Promise<boolean> {
  const departure = tx.selectFrom('departures').select('leftAt').where(equal({ worldId, passengerId }));
  return (await departure.executeTakeFirst()) !== undefined;
}

async function hasActiveRide(tx: Queries, worldId: string, passengerId: string): Promise<boolean> {
  const active = equal({ worldId, passengerId, active: sql.lit<1>(1) });
  return (await tx.selectFrom('rides').select('id').where(active).executeTakeFirst()) !== undefined;
}
