import { sql } from 'kysely';
import type { Ride } from '../domain/rides/ride.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { hasRowLocks, type ListParameter, listFrom, listParameter } from './engine/dialect.ts';
import { prepared } from './engine/prepared.ts';
import { equal } from './equal.ts';
import { joined } from './joined.ts';
import { NO, type RideColumns, toRide, toRow, YES } from './ride-rows.ts';
import type { Page, Queries, RideRow, Tx } from './schema.ts';
import { StaleVersion } from './transaction.ts';
import { type HeldWorld, holdWorld, toWorld, WORLD_COLUMNS } from './worlds.ts';

/**
 * Throws a unique violation of `one_active_ride`, `one_ride_per_driver` or `one_ride_per_cost_token`: see
 * isUniqueViolation.
 */
export async function insertRide(db: Queries, ride: Ride, costTokenId: string | null = null): Promise<void> {
  await rideInsert(db, { ...toRow(ride), costTokenId, silent: 0 });
}

const rideInsert = prepared((db, row: RideRow) => db.insertInto('rides').values(row));

export async function findRide(db: Queries, worldId: string, id: string): Promise<Ride | undefined> {
  const { rows } = await rideQuery(db, { worldId, id });
  return rows[0] && toRide(rows[0]);
}

const rideQuery = prepared((db, { worldId, id }: RideKey) =>
  db.selectFrom('rides').select('document').where(equal({ worldId, id })),
);

type RideKey = Pick<RideRow, 'worldId' | 'id'>;

/** A ride and its world, both locked until the transaction ends. */
export interface HeldRide {
  readonly ride: Ride;
  readonly world: HeldWorld;
}

/**
 * Locks the ride's world, then the ride: see holdWorld. Without the lock, many concurrent changes would run out of
 * retries. The version check still applies, because other code can change a ride that it read without a lock.
 */
export async function holdRide(tx: Tx, worldId: string, id: string): Promise<HeldRide | undefined> {
  if (worldId === LIVE_WORLD.id) {
    const [row] = (await liveRideLock(tx, { worldId, id })).rows;
    return row && { ride: toRide(row), world: await holdWorld(tx, LIVE_WORLD) };
  }
  const [row] = (await sandboxRideLock(tx, { worldId, id })).rows;
  return row && { ride: toRide(row), world: toWorld(WORLD.rowOf(row)) as HeldWorld };
}

const liveRideLock = prepared((tx, { worldId, id }: RideKey) =>
  tx
    .selectFrom('rides')
    .select('document')
    .where(equal({ worldId, id }))
    .$if(hasRowLocks(tx), (query) => query.forUpdate()),
);

const WORLD = joined('world', WORLD_COLUMNS);

const sandboxRideLock = prepared((tx, { worldId, id }: RideKey) =>
  tx
    .selectFrom('rides')
    .innerJoin('worlds as world', 'world.id', 'rides.worldId')
    .select('rides.document')
    .select(WORLD.columns)
    .where('rides.worldId', '=', worldId)
    .where('rides.id', '=', id)
    // PostgreSQL locks in this order
    .$if(hasRowLocks(tx), (query) => query.forNoKeyUpdate('world').forUpdate('rides')),
);

/**
 * Characters of rides that one transaction decodes. A ride whose destination changed often has 40,000.
 * @beyond more transactions follow
 * @heldBy tests/store/rides.test.ts
 */
const MOST_DECODED_AT_ONCE = 100_000;

/**
 * Active rides of passengers with greater ids than `after`, ordered by passenger, who has at most one. Locks them until
 * the transaction ends. Fewer than `limit` if they are long: decoding them would hold up other calls.
 * @returns whether there may be more, too
 */
export async function activeRidesOf(
  tx: Tx,
  world: HeldWorld,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<{ readonly rides: readonly Ride[]; readonly hasMore: boolean }> {
  const rows = await tx
    .selectFrom('rides')
    .select('document')
    .where(equal({ worldId: world.id, active: YES }))
    .where('passengerId', '>', after)
    .orderBy('passengerId')
    .limit(limit)
    .$if(hasRowLocks(tx), (query) => query.forUpdate())
    .execute();
  let length = 0;
  const short = rows.filter(({ document }, i) => {
    length += document.length;
    return i === 0 || length <= MOST_DECODED_AT_ONCE;
  });
  return { rides: short.map(toRide), hasMore: rows.length === limit || short.length < rows.length };
}

/**
 * Saves a changed ride and increments its version. Throws StaleVersion when the ride changed after it was read, and a
 * unique violation of `one_ride_per_driver` when its new driver already has a ride.
 */
export async function updateRide(db: Queries, ride: Ride): Promise<void> {
  const { version } = ride;
  const { numAffectedRows } = await rideUpdate(db, { ...toRow({ ...ride, version: version + 1 }), before: version });
  if (numAffectedRows !== 1n) throw new StaleVersion(`Ride ${ride.id} is no longer at version ${version}.`);
}

const rideUpdate = prepared((db, { before, ...row }: RideColumns & { before: number }) =>
  db
    .updateTable('rides')
    .set(row)
    .where(equal({ worldId: row.worldId, id: row.id, version: before })),
);

export async function latestRideOf(db: Queries, worldId: string, passengerId: string): Promise<Ride | undefined> {
  const { rows } = await latestRideQuery(db, { worldId, passengerId });
  return rows[0] && toRide(rows[0]);
}

const latestRideQuery = prepared((db, { worldId, passengerId }: RiderKey) =>
  newestFirst(ridesOf(db, { worldId, passengerId })).limit(1),
);

type RiderKey = Pick<RideRow, 'worldId' | 'passengerId'>;

export interface HistoryRange {
  /** Time of the request: world time, in milliseconds UTC. Both ends are exclusive. */
  readonly startsAfter: number;
  readonly startsBefore: number | null;
  readonly limit: number;
}

/**
 * A passenger's finished rides, latest request first. Each is decoded when it is called for, because a ride whose
 * destination often changed takes half a millisecond.
 */
export async function listFinishedRides(
  db: Queries,
  rider: RiderKey,
  range: HistoryRange,
): Promise<ReadonlyArray<() => Ride>> {
  const { startsAfter, startsBefore, limit } = range;
  const before = startsBefore ?? Number.MAX_SAFE_INTEGER;
  const { rows } = await historyQuery(db, { ...rider, startsAfter, before, limit });
  return rows.map((row) => () => toRide(row));
}

const historyQuery = prepared((db, search: RiderKey & Record<'startsAfter' | 'before' | 'limit', number>) =>
  newestFirst(ridesOf(db, search))
    .where('active', '=', NO)
    .where('requestedAt', '>', search.startsAfter)
    .where('requestedAt', '<', search.before)
    .limit(search.limit),
);

/** A passenger's finished rides, in any order. Locks them until the transaction ends. */
export async function finishedRidesOf(tx: Tx, worldId: string, passengerId: string, limit: number): Promise<Ride[]> {
  const rows = await ridesOf(tx, { worldId, passengerId })
    .where('active', '=', NO)
    .limit(limit)
    .$if(hasRowLocks(tx), (query) => query.forUpdate())
    .execute();
  return rows.map(toRide);
}

export type RidePlace = Pick<RideRow, 'requestedAt' | 'id'>;

/** All rides of a passenger, ordered by request. */
export async function listRidesOf(db: Queries, rider: RiderKey, { after, limit }: Page<RidePlace>): Promise<Ride[]> {
  const rows = await ridesOf(db, rider)
    .$if(after !== null, (rides) =>
      rides.where((row) => row(row.refTuple('requestedAt', 'id'), '>', row.tuple(after!.requestedAt, after!.id))),
    )
    .orderBy('requestedAt')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toRide);
}

/** Which of some drivers have an active ride, or one that ended after `since` (world time). */
export async function busyDriverIds(
  db: Queries,
  worldId: string,
  since: number,
  drivers: readonly string[],
): Promise<Set<string>> {
  const { rows } = await busyQuery(db, { worldId, since, drivers: listParameter(db, drivers) });
  return new Set(rows.map(({ driverId }) => driverId));
}

type Busy = Pick<RideRow, 'worldId'> & { readonly since: number; readonly drivers: ListParameter };

// one row for each driver, who can have thousands of recent rides while a clock is frozen; no `exists`, for which
// PostgreSQL may read all rides of the world
const busyQuery = prepared((db, { worldId, since, drivers }: Busy) => {
  const rideOf = db
    .selectFrom('rides')
    .select(sql.lit(1).as('one'))
    .where('worldId', '=', worldId)
    .where('driverId', '=', sql.ref<string>('driver.value'))
    .limit(1);
  const active = rideOf.where('active', '=', YES);
  const recent = rideOf.where('active', '=', NO).where('finishedAt', '>', since);
  return db
    .selectFrom(listFrom(db, drivers).as('driver'))
    .select(sql.ref<string>('driver.value').as('driverId'))
    .where(({ fn }) => fn.coalesce(active, recent), '=', 1);
});

/** Whether the passenger has revoked the application's access since requesting the ride. */
export async function isSilent(db: Queries, { worldId, id }: Pick<Ride, 'worldId' | 'id'>): Promise<boolean> {
  const { rows } = await silenceQuery(db, { worldId, id });
  return rows[0]?.silent === 1;
}

const silenceQuery = prepared((db, { worldId, id }: RideKey) =>
  db.selectFrom('rides').select('silent').where(equal({ worldId, id })),
);

/**
 * Old rides, with their events, that one transaction of the sweep deletes.
 * @beyond the next transaction deletes the rest
 */
export const MOST_RIDES_SWEPT_AT_ONCE = 50;

/**
 * Deletes a batch of live rides that ended before a given time, with their events. @returns how many; 0 when there are
 * no more
 */
export async function deleteOldRides(db: Queries, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('rides')
    .where('worldId', '=', LIVE_WORLD.id)
    .where('id', 'in', (row) =>
      row
        .selectFrom('rides')
        .select('id')
        // worded as in the partial index, so that this query can use it
        .where(sql<boolean>`finished_at is not null and not (world_id <> 'live')`)
        .where('finishedAt', '<', before)
        .orderBy('finishedAt')
        .orderBy('id')
        .limit(MOST_RIDES_SWEPT_AT_ONCE),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function ridesOf(db: Queries, { worldId, passengerId }: RiderKey) {
  return db.selectFrom('rides').select('document').where(equal({ worldId, passengerId }));
}

// the id breaks ties within a millisecond
function newestFirst(rides: ReturnType<typeof ridesOf>): ReturnType<typeof ridesOf> {
  return rides.orderBy('requestedAt', 'desc').orderBy('id', 'desc');
}
