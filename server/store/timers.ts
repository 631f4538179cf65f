import { realTimeOf } from '../domain/worlds/clock.ts';
import { hasRowLocks } from './dialect.ts';
import type { Queries, TimerRow } from './schema.ts';
import type { HeldWorld } from './worlds.ts';

/** Rows in one statement: SQLite allows 32,766 parameters. */
const MOST_AT_ONCE = 1000;

/** Something that will happen to a subject, which has at most one timer of each kind. */
export interface Timer {
  readonly worldId: string;
  readonly kind: string;
  readonly subjectId: string;
  /** World milliseconds UTC. */
  readonly dueAt: number;
}

/**
 * Sets or moves timers. A worker that claimed an old one loses its lease.
 * @param world locked: a clock change between this write and its commit would miss the timers
 */
export async function setTimers(
  db: Queries,
  { id: worldId, clock }: HeldWorld,
  timers: ReadonlyArray<Omit<Timer, 'worldId'>>,
): Promise<void> {
  const rows = timers.map(({ kind, subjectId, dueAt }) => {
    return { worldId, kind, subjectId, dueAt, realDueAt: realTimeOf(clock, dueAt), leaseUntil: null };
  });
  for (let i = 0; i < rows.length; i += MOST_AT_ONCE) {
    await db
      .insertInto('timers')
      .values(rows.slice(i, i + MOST_AT_ONCE))
      .onConflict((conflict) =>
        conflict.columns(['worldId', 'kind', 'subjectId']).doUpdateSet((row) => ({
          dueAt: row.ref('excluded.dueAt'),
          realDueAt: row.ref('excluded.realDueAt'),
          leaseUntil: null,
        })),
      )
      .execute();
  }
}

export async function clearTimers(
  db: Queries,
  { worldId, kind }: Pick<Timer, 'worldId' | 'kind'>,
  subjectIds: readonly string[],
): Promise<void> {
  for (let i = 0; i < subjectIds.length; i += MOST_AT_ONCE) {
    await db
      .deleteFrom('timers')
      .where('worldId', '=', worldId)
      .where('kind', '=', kind)
      .where('subjectId', 'in', subjectIds.slice(i, i + MOST_AT_ONCE))
      .execute();
  }
}

/** Removes a timer after its run, unless it was moved meanwhile. */
export async function clearTimer(db: Queries, { worldId, kind, subjectId, dueAt }: Timer): Promise<void> {
  await db
    .deleteFrom('timers')
    .where('worldId', '=', worldId)
    .where('kind', '=', kind)
    .where('subjectId', '=', subjectId)
    .where('dueAt', '=', dueAt)
    .execute();
}

export interface Claim {
  /** Real milliseconds UTC. */
  readonly realNow: number;
  /** When this time is over, another worker may claim the timers that still exist. */
  readonly leaseMs: number;
  readonly limit: number;
}

/** Claims due timers, earliest first; none goes to two workers. Timers of frozen worlds are never due. */
export async function claimDueTimers(db: Queries, { realNow, leaseMs, limit }: Claim): Promise<Timer[]> {
  const claimed = await db
    .with('due', (cte) =>
      cte
        .selectFrom('timers')
        .select(['worldId', 'kind', 'subjectId'])
        .where('realDueAt', '<=', realNow)
        .where((row) => row.or([row('leaseUntil', 'is', null), row('leaseUntil', '<=', realNow)]))
        .orderBy('realDueAt')
        .limit(limit)
        .$if(hasRowLocks(db), (query) => query.forUpdate().skipLocked()),
    )
    .updateTable('timers')
    .set({ leaseUntil: realNow + leaseMs })
    .where((row) =>
      row(
        row.refTuple('worldId', 'kind', 'subjectId'),
        'in',
        row
          .selectFrom('due')
          .select(['due.worldId', 'due.kind', 'due.subjectId'])
          .$asTuple('worldId', 'kind', 'subjectId'),
      ),
    )
    .returning(['worldId', 'kind', 'subjectId', 'dueAt', 'realDueAt'])
    .execute();
  return claimed.sort((a, b) => a.realDueAt! - b.realDueAt!).map(toTimer);
}

/** Releases the timers of a claim that were not run, so that others can claim them at once. */
export async function releaseTimers(db: Queries, timers: readonly Timer[], { realNow, leaseMs }: Claim): Promise<void> {
  for (const { worldId, kind, subjectId } of timers) {
    await db
      .updateTable('timers')
      .set({ leaseUntil: null })
      .where('worldId', '=', worldId)
      .where('kind', '=', kind)
      .where('subjectId', '=', subjectId)
      .where('leaseUntil', '=', realNow + leaseMs)
      .execute();
  }
}

/** Releases all timers. Only safe while no worker runs: the one owner of an SQLite file calls it at startup. */
export async function releaseAllTimers(db: Queries): Promise<void> {
  await db.updateTable('timers').set({ leaseUntil: null }).where('leaseUntil', 'is not', null).execute();
}

/** Real milliseconds UTC from which a timer can be claimed; null: none has a due time. */
export async function nextRealDue(db: Queries): Promise<number | null> {
  const due = db.selectFrom('timers').where('realDueAt', 'is not', null);
  const free = await due
    .select('realDueAt')
    .where('leaseUntil', 'is', null)
    .orderBy('realDueAt')
    .limit(1)
    .executeTakeFirst();
  const leased = await due.select(['realDueAt', 'leaseUntil']).where('leaseUntil', 'is not', null).execute();
  const instants = leased.map((row) => Math.max(row.realDueAt!, row.leaseUntil!));
  if (free) instants.push(free.realDueAt!);
  return instants.length === 0 ? null : Math.min(...instants);
}

/** The first timer of a world that is due by this instant of its clock, whether claimed or not. */
export async function dueInWorld(db: Queries, worldId: string, until: number): Promise<Timer | null> {
  const row = await db
    .selectFrom('timers')
    .selectAll()
    .where('worldId', '=', worldId)
    .where('dueAt', '<=', until)
    // in a seeded world, timers that are due at the same instant always run in the same order
    .orderBy('dueAt')
    .orderBy('kind')
    .orderBy('subjectId')
    .limit(1)
    .executeTakeFirst();
  return row ? toTimer(row) : null;
}

function toTimer({ worldId, kind, subjectId, dueAt }: Omit<TimerRow, 'realDueAt' | 'leaseUntil'>): Timer {
  return { worldId, kind, subjectId, dueAt };
}
