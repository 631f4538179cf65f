import { type ExpressionBuilder, sql } from 'kysely';
import { realTimeOf, type WorldClock, worldTime } from '../domain/worlds/clock.ts';
import { PENDING } from './deliveries/due.ts';
import { listOfColumn } from './engine/dialect.ts';
import { equal } from './equal.ts';
import { flag } from './flag.ts';
import type { Database, Tx } from './schema.ts';
import { saveUnsettledClock } from './unsettled.ts';
import { type HeldWorld, toClock, toClockColumns } from './worlds.ts';

/**
 * Timers, and deliveries, that one transaction moves to a new clock. On SQLite, all calls wait for it.
 * @beyond more transactions follow
 */
export const MOST_MOVED_AT_ONCE = 500;

/** How far the due times of a world follow a clock. */
interface SettledClock {
  /** The clock's anchors. A server of an earlier version changes the clock without this. */
  readonly clock: readonly [realAnchor: number, worldAnchor: number];
  readonly timers: Place;
  readonly deliveries: Place;
  /** World time of the last deliveries that may move; null: all may. */
  readonly until: number | null;
}

/** World time, and the key of a row that is due then; null: after all that are. A null place: all have moved. */
type Place = readonly [dueAt: number, key: readonly string[] | null] | null;

const START: Place = [Number.MIN_SAFE_INTEGER, null];
const anchorsOf = ({ realAnchor, worldAnchor }: WorldClock) => [realAnchor, worldAnchor] as const;

/**
 * Sets a world's clock, and the real due times of its earliest timers and deliveries.
 * @returns whether all are set; if not, call settleClock
 */
export async function saveClock(tx: Tx, worldId: string, clock: WorldClock): Promise<boolean> {
  const from = await tx
    .selectFrom('worlds')
    .select(['clockRealAnchor', 'clockWorldAnchor', 'clockRunning', 'clockUnsettled'])
    .where('id', '=', worldId)
    .executeTakeFirst();
  if (from === undefined) return true;
  const settled = { clockUnsettled: flag(false), clockSettledTo: null };
  const columns = { ...toClockColumns(clock), ...settled };
  await tx.updateTable('worlds').set(columns).where('id', '=', worldId).execute();
  const rest = await moveDue(
    tx,
    worldId,
    clock,
    from.clockUnsettled === 1 ? startOf(clock) : afterChange(toClock(from), clock),
  );
  if (rest !== null) await saveUnsettledClock(tx, worldId, JSON.stringify(rest));
  return rest === null;
}

function startOf(clock: WorldClock): SettledClock {
  return { clock: anchorsOf(clock), timers: START, deliveries: START, until: null };
}

/**
 * Passes over what a change of a settled clock does not move, because a large world may have much of it. A clock never goes
 * back.
 */
function afterChange(before: WorldClock, clock: WorldClock): SettledClock {
  const isSameShift = realTimeOf(before, 0) === realTimeOf(clock, 0);
  const earlier = worldTime(before, clock.realAnchor);
  return {
    clock: anchorsOf(clock),
    timers: isSameShift ? null : START,
    // those due earlier are due already
    deliveries: isSameShift && earlier === clock.worldAnchor ? null : [earlier, null],
    until: isSameShift ? clock.worldAnchor : null,
  };
}

/** Sets the real due times of more timers and deliveries. @returns whether all are set */
export async function settleClock(tx: Tx, { id, clock }: HeldWorld, settledTo: string | null): Promise<boolean> {
  const settled: SettledClock | null = settledTo === null ? null : JSON.parse(settledTo);
  const isOfClock = `${settled?.clock}` === `${anchorsOf(clock)}`;
  const rest = await moveDue(tx, id, clock, settled !== null && isOfClock ? settled : startOf(clock));
  await saveUnsettledClock(tx, id, rest && JSON.stringify(rest));
  return rest === null;
}

/**
 * Moves the earliest first, so that freezing the clock stops them before they run.
 * @returns how far it came; null: all have moved
 */
async function moveDue(
  tx: Tx,
  worldId: string,
  clock: WorldClock,
  settled: SettledClock,
): Promise<SettledClock | null> {
  const timers = settled.timers && (await moveTimers(tx, worldId, clock, settled.timers));
  const deliveries =
    settled.deliveries && (await moveDeliveries(tx, worldId, clock, settled.deliveries, settled.until));
  return timers === null && deliveries === null ? null : { ...settled, timers, deliveries };
}

/** The place after the last of some rows; null if there are no more. */
function placeAfter<Row extends { readonly dueAt: number }>(
  rows: readonly Row[],
  keyOf: (row: Row) => readonly string[],
): Place {
  const last = rows[MOST_MOVED_AT_ONCE - 1];
  return last === undefined ? null : [last.dueAt, keyOf(last)];
}

async function moveTimers(
  tx: Tx,
  worldId: string,
  clock: WorldClock,
  [dueAt, key]: NonNullable<Place>,
): Promise<Place> {
  const next = await tx
    .selectFrom('timers')
    .select(['dueAt', 'kind', 'subjectId'])
    .where('worldId', '=', worldId)
    .where((row) =>
      key === null
        ? row('dueAt', '>', dueAt)
        : row(row.refTuple('dueAt', 'kind', 'subjectId'), '>', row.tuple(dueAt, key[0]!, key[1]!)),
    )
    .orderBy('dueAt')
    .orderBy('kind')
    .orderBy('subjectId')
    .limit(MOST_MOVED_AT_ONCE)
    .execute();
  const shift = realTimeOf(clock, 0);
  for (const kind of new Set(next.map((timer) => timer.kind))) {
    const some = next.filter((timer) => timer.kind === kind);
    await tx
      .updateTable('timers')
      .set((row) => ({ realDueAt: shift === null ? null : row('dueAt', '+', shift) }))
      .where(equal({ worldId, kind }))
      .where('subjectId', 'in', listOfColumn(tx, some, 'subjectId'))
      .where((row) => row('realDueAt', 'is distinct from', shift === null ? sql.lit(null) : row('dueAt', '+', shift)))
      .execute();
  }
  return placeAfter(next, ({ kind, subjectId }) => [kind, subjectId]);
}

/**
 * Deliveries due by the new time become due now, even on a frozen clock. Deliveries that are already due do not move.
 */
async function moveDeliveries(
  tx: Tx,
  worldId: string,
  clock: WorldClock,
  [dueAt, key]: NonNullable<Place>,
  until: number | null,
): Promise<Place> {
  const next = await tx
    .selectFrom('deliveries')
    .select(['dueAt', 'occurredAt', 'eventId'])
    .where(equal({ worldId, status: PENDING }))
    .where((row) =>
      key === null
        ? row('dueAt', '>', dueAt)
        : row(row.refTuple('dueAt', 'occurredAt', 'eventId'), '>', row.tuple(dueAt, Number(key[0]!), key[1]!)),
    )
    .$if(until !== null, (query) => query.where('dueAt', '<=', until!))
    .orderBy('dueAt')
    .orderBy('occurredAt')
    .orderBy('eventId')
    .limit(MOST_MOVED_AT_ONCE)
    .execute();
  if (next.length === 0) return null;
  const shift = realTimeOf(clock, 0);
  const { worldAnchor, realAnchor } = clock;
  const newRealDueAt = (row: ExpressionBuilder<Database, 'deliveries'>) =>
    row
      .case()
      .when('dueAt', '<=', worldAnchor)
      // PostgreSQL would type a bare parameter as text
      .then(row.cast<number>(row.val(realAnchor), 'bigint'))
      .else(shift === null ? sql.lit(null) : row('dueAt', '+', shift))
      .end();
  await tx
    .updateTable('deliveries')
    .set((row) => ({ realDueAt: newRealDueAt(row) }))
    .where('eventId', 'in', listOfColumn(tx, next, 'eventId'))
    .where('status', '=', PENDING)
    .where((row) =>
      row.or([row('dueAt', '>', worldAnchor), row('realDueAt', 'is', null), row('realDueAt', '>', realAnchor)]),
    )
    .where((row) => row('realDueAt', 'is distinct from', newRealDueAt(row)))
    .execute();
  return placeAfter(next, ({ occurredAt, eventId }) => [`${occurredAt}`, eventId]);
}
