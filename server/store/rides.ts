import { sql, type Transaction } from 'kysely';
import { endedAt, isActive, NOTHING_YET, type Nulls, type Ride } from '../domain/rides/ride.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { hasRowLocks, listOf } from './dialect.ts';
import { columnsOf, rowOf } from './joined.ts';
import { type Database, flag, type Queries, type RideRow } from './schema.ts';
import { StaleVersion } from './transaction.ts';
import { type HeldWorld, holdWorld, toWorld, WORLD_COLUMNS } from './worlds.ts';

/** Literals: with a bound parameter, SQLite does not use the partial indexes over active rides. */
const YES = sql.lit<1>(1);
const NO = sql.lit<0>(0);

/**
 * Throws a unique violation of `one_active_ride`, `one_ride_per_driver` or `one_ride_per_cost_token`: see
 * isUniqueViolation.
 * @param costTokenId the cost token that the request used, if any
 */
export async function insertRide(db: Queries, ride: Ride, costTokenId: string | null = null): Promise<void> {
  await db
    .insertInto('rides')
    .values({ ...toRow(ride), costTokenId, silent: 0 })
    .execute();
}

export async function findRide(db: Queries, worldId: string, id: string): Promise<Ride | undefined> {
  const row = await db
    .selectFrom('rides')
    .select('document')
    .where('worldId', '=', worldId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toRide(row);
}

/** A ride and its world, both locked until the transaction ends. */
export interface HeldRide {
  readonly ride: Ride;
  readonly world: HeldWorld;
}

/**
 * Locks the world of a ride, then the ride: see holdWorld. Without the lock, many concurrent changes would use up their reruns. The
 * version still decides, because a ride can also be changed after a read without a lock.
 */
export async function holdRide(tx: Transaction<Database>, worldId: string, id: string): Promise<HeldRide | undefined> {
  const found = tx
    .selectFrom('rides')
    .select('rides.document')
    .where('rides.worldId', '=', worldId)
    .where('rides.id', '=', id);
  const hasLocks = hasRowLocks(tx);
  if (worldId === LIVE_WORLD.id) {
    const row = await found.$if(hasLocks, (query) => query.forUpdate()).executeTakeFirst();
    return row && { ride: toRide(row), world: await holdWorld(tx, LIVE_WORLD) };
  }
  const row = await found
    .innerJoin('worlds as world', 'world.id', 'rides.worldId')
    .select(columnsOf('world', WORLD_COLUMNS))
    // PostgreSQL locks in this order
    .$if(hasLocks, (query) => query.forNoKeyUpdate('world').forUpdate('rides'))
    .executeTakeFirst();
  return row && { ride: toRide(row), world: toWorld(rowOf(row, 'world', WORLD_COLUMNS)) as HeldWorld };
}

export interface ActiveRidesRange {
  /** The id before the first one. */
  readonly after: string;
  readonly limit: number;
}

/** Active rides of a world, by id. Locks them until the transaction ends. */
export async function activeRidesOf(
  tx: Transaction<Database>,
  { id: worldId }: HeldWorld,
  range: ActiveRidesRange,
): Promise<Ride[]> {
  const rows = await activeRides(tx, worldId, range)
    .select('document')
    .$if(hasRowLocks(tx), (query) => query.forUpdate())
    .execute();
  return rows.map(toRide);
}

function activeRides(tx: Transaction<Database>, worldId: string, { after, limit }: ActiveRidesRange) {
  return tx
    .selectFrom('rides')
    .where('worldId', '=', worldId)
    .where('active', '=', YES)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit);
}

/**
 * Saves a changed ride and increments its version. Throws StaleVersion when the ride has changed since it was read, and
 * a unique violation of `one_ride_per_driver` when its new driver already has a ride.
 */
export async function updateRide(db: Queries, ride: Ride): Promise<void> {
  const saved: Ride = { ...ride, version: ride.version + 1 };
  const { numUpdatedRows } = await db
    .updateTable('rides')
    .set(toRow(saved))
    .where('worldId', '=', ride.worldId)
    .where('id', '=', ride.id)
    .where('version', '=', ride.version)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) throw new StaleVersion(`Ride ${ride.id} is no longer at version ${ride.version}.`);
}

/** A passenger's latest ride, active or not. */
export async function latestRideOf(db: Queries, worldId: string, passengerId: string): Promise<Ride | undefined> {
  const row = await newestFirst(ridesOf(db, worldId, passengerId))
    .limit(1)
    .executeTakeFirst();
  return row && toRide(row);
}

export interface HistoryRange {
  /** World milliseconds UTC of the request; both ends exclusive. */
  readonly startsAfter: number;
  readonly startsBefore: number | null;
  readonly limit: number;
}

/** A passenger's finished rides, latest request first. */
export async function listFinishedRides(
  db: Queries,
  worldId: string,
  passengerId: string,
  { startsAfter, startsBefore, limit }: HistoryRange,
): Promise<Ride[]> {
  const finished = ridesOf(db, worldId, passengerId).where('active', '=', NO).where('requestedAt', '>', startsAfter);
  const within = startsBefore === null ? finished : finished.where('requestedAt', '<', startsBefore);
  const rows = await newestFirst(within).limit(limit).execute();
  return rows.map(toRide);
}

/** Finished rides of a passenger, in any order. Locks them until the transaction ends. */
export async function finishedRidesOf(
  tx: Transaction<Database>,
  worldId: string,
  passengerId: string,
  limit: number,
): Promise<Ride[]> {
  const rows = await ridesOf(tx, worldId, passengerId)
    .where('active', '=', NO)
    .limit(limit)
    .$if(hasRowLocks(tx), (query) => query.forUpdate())
    .execute();
  return rows.map(toRide);
}

/** Where a list of all rides of a passenger goes on. */
export type RidePlace = Pick<RideRow, 'requestedAt' | 'id'>;

/** A passenger's rides, active or not, in the order of their requests. @param after the place of the last one before */
export async function listRidesOf(
  db: Queries,
  worldId: string,
  passengerId: string,
  { after, limit }: { readonly after: RidePlace | null; readonly limit: number },
): Promise<Ride[]> {
  const rows = await ridesOf(db, worldId, passengerId)
    .$if(after !== null, (rides) =>
      rides.where((row) =>
        row.or([
          row('requestedAt', '>', after!.requestedAt),
          row.and([row('requestedAt', '=', after!.requestedAt), row('id', '>', after!.id)]),
        ]),
      ),
    )
    .orderBy('requestedAt')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toRide);
}

/**
 * Drivers who have an active ride, or whose last ride ended after `since` (world time). @param among absent: all
 * drivers
 */
export async function busyDriverIds(
  db: Queries,
  worldId: string,
  since: number,
  among?: readonly string[],
): Promise<Set<string>> {
  const driven = db
    .selectFrom('rides')
    .select('driverId')
    .where('worldId', '=', worldId)
    .where('driverId', 'is not', null)
    .$if(among !== undefined, (rides) => rides.where('driverId', 'in', listOf(db, among!)));
  const rows = await driven
    .where('active', '=', YES)
    .union(driven.where('active', '=', NO).where('finishedAt', '>', since))
    .execute();
  return new Set(rows.map((row) => row.driverId!));
}

/** Whether the passenger has revoked the ride's application since the request. */
export async function isSilent(db: Queries, { worldId, id }: Pick<Ride, 'worldId' | 'id'>): Promise<boolean> {
  const row = await db
    .selectFrom('rides')
    .select('silent')
    .where('worldId', '=', worldId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.silent === 1;
}

/** Rides that one transaction of a sweep deletes at most, each with what is left of its events. */
export const MOST_RIDES_SWEPT_AT_ONCE = 50;

/** Deletes some live rides that ended before an instant, with their events. @returns how many; 0 when none is left */
export async function deleteOldRides(db: Queries, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('rides')
    .where('worldId', '=', LIVE_WORLD.id)
    .where('id', 'in', (row) =>
      row
        .selectFrom('rides')
        .select('id')
        // as in the index
        .where(sql<boolean>`finished_at is not null and not (world_id <> 'live')`)
        .where('finishedAt', '<', before)
        .orderBy('finishedAt')
        .orderBy('id')
        .limit(MOST_RIDES_SWEPT_AT_ONCE),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function ridesOf(db: Queries, worldId: string, passengerId: string) {
  return db
    .selectFrom('rides')
    .select('document')
    .where('worldId', '=', worldId)
    .where('passengerId', '=', passengerId);
}

// the id orders requests of the same millisecond
function newestFirst(rides: ReturnType<typeof ridesOf>): ReturnType<typeof ridesOf> {
  return rides.orderBy('requestedAt', 'desc').orderBy('id', 'desc');
}

function toRow(ride: Ride): Omit<RideRow, 'costTokenId' | 'silent'> {
  return {
    worldId: ride.worldId,
    id: ride.id,
    version: ride.version,
    applicationId: ride.applicationId,
    passengerId: ride.passengerId,
    driverId: ride.driver?.driverId ?? null,
    status: ride.status,
    active: flag(isActive(ride.status)),
    rideType: ride.rideType,
    requestedAt: ride.requestedAt,
    finishedAt: endedAt(ride),
    document: JSON.stringify(ride),
  };
}

/** Sets nullable fields that are newer than the row to null. */
function toRide({ document }: Pick<RideRow, 'document'>): Ride {
  const ride: Ride = over(NOTHING_YET, JSON.parse(document));
  const { origin, destination, driver, plan, rating, payment } = ride;
  return {
    ...ride,
    origin: over({ address: null }, origin),
    destination: destination && over({ address: null }, destination),
    driver: driver && over({}, { ...driver, vehicle: over({ licensePlateState: null }, driver.vehicle) }),
    plan: plan && over({ driverCancelsAt: null }, plan),
    rating: rating && over({ feedback: null, tip: null }, rating),
    payment: payment && over({}, payment),
  };
}

/** Adds null for missing nullable fields. The type of `nulls` lists them all, so a new one must be added here. */
function over<T>(nulls: Nulls<T>, stored: T): T {
  return { ...nulls, ...stored };
}
