import { type ExpressionBuilder, sql } from 'kysely';
import { realTimeOf, type WorldClock } from '../domain/worlds/clock.ts';
import { PENDING } from './deliveries/due.ts';
import { equal } from './equal.ts';
import { flag } from './flag.ts';
import type { Database, Tx } from './schema.ts';
import { saveUnsettledClock } from './unsettled.ts';
import { type HeldWorld, toClockColumns } from './worlds.ts';

/**
 * Timers, and deliveries, that one transaction moves to a new clock. On SQLite, all calls wait for it.
 * @beyond more transactions follow
 */
export const MOST_MOVED_AT_ONCE = 500;

/**
 * Sets a world's clock, and the real due times of its earliest timers and deliveries.
 * @returns whether all are set; if not, call settleClock
 */
export async function saveClock(tx: Tx, worldId: string, clock: WorldClock): Promise<boolean> {
  const settled = { ...toClockColumns(clock), clockUnsettled: flag(false) };
  await tx.updateTable('worlds').set(settled).where('id', '=', worldId).execute();
  const isAll = await moveDue(tx, worldId, clock);
  if (!isAll) await saveUnsettledClock(tx, worldId, true);
  return isAll;
}

/** Sets the real due times of more timers and deliveries. @returns whether all are set */
export async function settleClock(tx: Tx, { id, clock }: HeldWorld): Promise<boolean> {
  const isAll = await moveDue(tx, id, clock);
  if (isAll) await saveUnsettledClock(tx, id, false);
  return isAll;
}

/** Moves the earliest first, so that freezing the clock stops them before they run. */
async function moveDue(tx: Tx, worldId: string, clock: WorldClock): Promise<boolean> {
  const moved = [await moveTimers(tx, worldId, clock), await moveDeliveries(tx, worldId, clock)];
  return moved.every((count) => count < MOST_MOVED_AT_ONCE);
}

async function moveTimers(tx: Tx, worldId: string, clock: WorldClock): Promise<number> {
  const shift = realTimeOf(clock, 0);
  const wrong = tx
    .selectFrom('timers')
    .select(['worldId', 'kind', 'subjectId'])
    .where('worldId', '=', worldId)
    .where((row) => row('realDueAt', 'is distinct from', shift === null ? sql.lit(null) : row('dueAt', '+', shift)))
    .orderBy('dueAt')
    .limit(MOST_MOVED_AT_ONCE);
  const { numUpdatedRows } = await tx
    .updateTable('timers')
    .set((row) => ({ realDueAt: shift === null ? null : row('dueAt', '+', shift) }))
    .where((row) =>
      row(row.refTuple('worldId', 'kind', 'subjectId'), 'in', wrong.$asTuple('worldId', 'kind', 'subjectId')),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/**
 * Deliveries due by the new time become due now, even on a frozen clock. Deliveries that are already due do not move.
 */
async function moveDeliveries(tx: Tx, worldId: string, clock: WorldClock): Promise<number> {
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
  const wrong = tx
    .selectFrom('deliveries')
    .select('eventId')
    .where(equal({ worldId, status: PENDING }))
    .where((row) =>
      row.or([row('dueAt', '>', worldAnchor), row('realDueAt', 'is', null), row('realDueAt', '>', realAnchor)]),
    )
    .where((row) => row('realDueAt', 'is distinct from', newRealDueAt(row)))
    .orderBy('dueAt')
    .limit(MOST_MOVED_AT_ONCE);
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set((row) => ({ realDueAt: newRealDueAt(row) }))
    .where('eventId', 'in', wrong)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
