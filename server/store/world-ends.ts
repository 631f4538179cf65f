import { type RawBuilder, sql } from 'kysely';
import type { StandInWorld } from '../domain/stand-in.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { DEFAULT_BEGINNING, DEFAULT_SETTINGS, type WorldBeginning } from '../domain/worlds/settings.ts';
import { deleteSome, deleteSomeTokens } from './delete-some.ts';
import { rowsOf } from './engine/changes.ts';
import { hasRowLocks, listOf, listOfColumn } from './engine/dialect.ts';
import type { Engine } from './engine/open.ts';
import { flag } from './flag.ts';
import { resetPassengers, restoreStandIns } from './passengers.ts';
import type { Queries, Tx, WorldEnd } from './schema.ts';
import { toClockColumns, WorldGone } from './worlds.ts';

/**
 * Rows of a world that one transaction of a reset or deletion deletes. SQLite runs nothing else in the meantime.
 * PostgreSQL serves other queries, and there a commit costs as much as deleting hundreds of rows.
 * @beyond more transactions follow, and other work runs in between
 * @heldBy tests/sandbox/large-worlds.test.ts
 */
export const MOST_ROWS_ENDED_AT_ONCE = { sqlite: 100, postgres: 2500 } as const satisfies Record<Engine, number>;

export interface Ending {
  readonly end: WorldEnd;
  /** Whether an earlier transaction began this reset or deletion. */
  readonly isBegun: boolean;
  readonly realNow: number;
  readonly most: number;
}

/**
 * Resets or deletes a sandbox if it has at most `most` rows. Otherwise deletes that many rows and marks the world, and
 * the caller must call again; if the server stops first, a sweep continues. A reset keeps client tokens. A stand-in
 * whose passenger still exists in the live world keeps its tokens and gets its initial data back. All other passengers
 * are deleted with their tokens.
 * @returns whether the reset or deletion is complete, possibly by another process. Throws WorldGone.
 */
export async function endWorld(tx: Tx, worldId: string, { end, isBegun, realNow, most }: Ending): Promise<boolean> {
  const held = await holdBeginning(tx, worldId).catch((error: unknown) => {
    if (error instanceof WorldGone && isBegun && end === 'deletion') return null;
    throw error;
  });
  if (held === null) return true;
  if (held.ending === 'deletion' && end === 'reset') throw new WorldGone(worldId);
  if (isBegun && held.ending === null) return true;
  const left = await countRows(tx, worldId, end, most);
  const isLight = left.events + 2 * left.rides + left.tokens + left.passengers + left.altered <= most;
  if (isLight) await (end === 'reset' ? reset(tx, held, realNow) : remove(tx, worldId));
  else {
    if (held.ending !== end) await tx.updateTable('worlds').set({ ending: end }).where('id', '=', worldId).execute();
    await deletePart(tx, held, end, most, left);
  }
  return isLight;
}

/** Sandboxes whose reset or deletion is unfinished. */
export async function endingWorlds(db: Queries): Promise<{ readonly id: string; readonly end: WorldEnd }[]> {
  const rows = await db.selectFrom('worlds').select(['id', 'ending']).where('ending', 'is not', null).execute();
  return rows.map(({ id, ending }) => ({ id, end: ending! }));
}

interface HeldBeginning extends StandInWorld {
  readonly beginning: WorldBeginning;
  readonly ending: WorldEnd | null;
}

/** Locks a sandbox, as holdWorld does. @returns the state that a reset restores. Throws WorldGone. */
export async function holdBeginning(tx: Tx, worldId: string): Promise<HeldBeginning> {
  const { beginning, ...held } = await tx
    .selectFrom('worlds')
    .select(['id', 'seed', 'beginning', 'ending'])
    .where('id', '=', worldId)
    .$if(hasRowLocks(tx), (query) => query.forNoKeyUpdate())
    .executeTakeFirstOrThrow(() => new WorldGone(worldId));
  return { ...held, beginning: { ...DEFAULT_BEGINNING, ...(beginning && JSON.parse(beginning)) } };
}

async function reset(tx: Tx, world: HeldBeginning, realNow: number): Promise<void> {
  const { now, running, autoAdvance, limits } = world.beginning;
  await deleteRides(tx, world.id);
  await resetPassengers(tx, world);
  await tx
    .updateTable('worlds')
    .set((row) => ({
      ...toClockColumns({ realAnchor: realNow, worldAnchor: now ?? realNow, running }),
      autoAdvance: flag(autoAdvance),
      settings: JSON.stringify({ ...DEFAULT_SETTINGS, limits }),
      resets: row('resets', '+', 1),
      idCounter: 0,
      ending: null,
      clockUnsettled: 0,
      clockSettledTo: null,
      ridesUnsettledAfter: null,
    }))
    .where('id', '=', world.id)
    .execute();
}

async function remove(tx: Tx, worldId: string): Promise<void> {
  await deleteRides(tx, worldId);
  await tx.deleteFrom('passengers').where('worldId', '=', worldId).execute();
  await tx.deleteFrom('accessGrants').where('worldId', '=', worldId).execute();
  await tx.deleteFrom('worlds').where('id', '=', worldId).execute();
}

async function deleteRides(tx: Tx, worldId: string): Promise<void> {
  await tx.deleteFrom('rides').where('worldId', '=', worldId).execute();
  await tx.deleteFrom('timers').where('worldId', '=', worldId).execute();
}

/** How many rows a world still has. Each count stops at a bound. */
interface Rows {
  readonly rides: number;
  readonly events: number;
  readonly tokens: number;
  readonly passengers: number;
  /** Stand-ins to restore; 0 for a deletion. */
  readonly altered: number;
}

/** Counts the rows that a reset or deletion removes. If there are many events, it counts only those. */
async function countRows(tx: Tx, worldId: string, end: WorldEnd, mostRows: number): Promise<Rows> {
  const most = sql.lit(mostRows + 1);
  // both engines evaluate a CASE branch only when it is taken
  const count = (rows: RawBuilder<unknown>) =>
    sql`case when sized.events < ${most} then (select count(*) from (${rows} limit ${most}) as found) else 0 end`;
  const ofLeaving = tokensOf(worldId, end, sql`select id from leaving`);
  const tokens = (table: 'access_tokens' | 'access_grants' | 'refresh_tokens') =>
    count(sql`select 1 from ${sql.table(table)} where ${ofLeaving}`);
  const counts = sql<Rows>`
    with found_rides as (select id from rides where world_id = ${worldId} limit ${most}),
    leaving as (${leavingOf(worldId, end, mostRows + 1)}),
    sized as (select coalesce(sum(rows_of_event), 0) as events from (${eventsOf(worldId, mostRows + 1)}) as each_event)
    select
      sized.events,
      case when sized.events < ${most} then (select count(*) from found_rides) else 0 end as rides,
      ${tokens('access_tokens')} + ${tokens('access_grants')} + ${tokens('refresh_tokens')} as tokens,
      ${count(sql`select 1 from leaving`)} as passengers,
      ${end === 'reset' ? count(sql`select 1 from passengers where world_id = ${worldId} and altered = 1`) : sql`0`} as altered
    from sized
  `;
  return (await rowsOf(tx, counts))[0]!;
}

/** The IDs of the next passengers to delete. A reset keeps those who exist in the live world. */
function leavingOf(worldId: string, end: WorldEnd, most: number): RawBuilder<unknown> {
  const isLeaving = sql`not exists (
    select 1 from passengers as other where other.world_id = ${LIVE_WORLD.id} and other.id = passengers.id
  )`;
  return sql`select id from passengers where world_id = ${worldId} and ${end === 'deletion' ? sql`1 = 1` : isLeaving}
    order by id limit ${sql.lit(most)}`;
}

/** Matches tokens to delete. A reset goes by passengers, because those who stay can have very many tokens. */
function tokensOf(worldId: string, end: WorldEnd, passengers: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`world_id = ${worldId} and ${end === 'deletion' ? sql`1 = 1` : sql`passenger_id in (${passengers})`}`;
}

/** Deletes at most `most` rows, starting with rows that no other row references. Then restores stand-ins. */
async function deletePart(tx: Tx, world: StandInWorld, end: WorldEnd, most: number, left: Rows): Promise<void> {
  const worldId = world.id;
  if (left.events > 0) return deleteSomeEvents(tx, worldId, most);
  if (left.rides > 0) return deleteSomeRides(tx, worldId, most);
  if (left.tokens > 0) {
    // those that were counted
    const leaving = leavingOf(worldId, end, most + 1);
    return void (await deleteSomeTokens(tx, tokensOf(worldId, end, leaving), most));
  }
  if (left.passengers === 0) return restoreStandIns(tx, world, most);
  const leaving = sql<boolean>`id in (${leavingOf(worldId, end, most)})`;
  await tx.deleteFrom('passengers').where('worldId', '=', worldId).where(leaving).execute();
}

/**
 * The first events of a world, up to `mostRows` rows or slightly more. Each comes with its number of rows: itself, its
 * delivery and its attempts. Reads in index order with a lookup per event. Otherwise PostgreSQL may scan whole tables
 * to find a few rows of a newly filled world.
 */
function eventsOf(worldId: string, mostRows: number): RawBuilder<{ eventId: string; rowsOfEvent: number }> {
  return sql`
    select event_id, 2 + coalesce(
      (select attempts + earlier_attempts from deliveries where deliveries.event_id = first.event_id), 0
    ) as rows_of_event
    from (
      select event_id from events where world_id = ${worldId} order by world_id, ride_id, event_id
      limit ${sql.lit(Math.ceil(mostRows / 2))}
    ) as first`;
}

async function deleteSomeEvents(tx: Tx, worldId: string, most: number): Promise<void> {
  const rows = await rowsOf(tx, eventsOf(worldId, most));
  let count = 0;
  const ids = rows.flatMap(({ eventId, rowsOfEvent }, index) => {
    count += rowsOfEvent;
    return index === 0 || count <= most ? [eventId] : [];
  });
  await tx.deleteFrom('events').where('eventId', 'in', listOf(tx, ids)).execute();
}

async function deleteSomeRides(tx: Tx, worldId: string, most: number): Promise<void> {
  const rides = await tx
    .selectFrom('rides')
    .select('id')
    .where('worldId', '=', worldId)
    .orderBy('id')
    .limit(Math.ceil(most / 2))
    .execute();
  const ids = listOfColumn(tx, rides, 'id');
  await tx.deleteFrom('rides').where('worldId', '=', worldId).where('id', 'in', ids).execute();
  // each ride has at most one timer
  await deleteSome(tx, 'timers', ['worldId', 'kind', 'subjectId'], (row) => row('worldId', '=', worldId), rides.length);
}
