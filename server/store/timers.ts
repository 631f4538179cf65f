import { realTimeOf, type World } from '../domain/worlds/clock.ts';
import { hasRowLocks } from './dialect.ts';
import type { Queries, TimerRow } from './schema.ts';
import { holdClock } from './worlds.ts';

/** Something that will happen to a subject: one of each kind. */
export interface Timer {
  readonly worldId: string;
  readonly kind: string;
  readonly subjectId: string;
  /** World milliseconds UTC. */
  readonly dueAt: number;
}

/** Sets a timer, or moves it when there is one; whoever had claimed the old one has it no longer. */
export async function setTimer(db: Queries, world: World, timer: Omit<Timer, 'worldId'>): Promise<void> {
  // a sandbox's clock can be set between this write and its commit, and that would miss this timer; the live one never is
  const clock = world.kind === 'live' ? world.clock : await holdClock(db, world.id);
  const due = { dueAt: timer.dueAt, realDueAt: realTimeOf(clock, timer.dueAt), leaseUntil: null };
  await db
    .insertInto('timers')
    .values({ worldId: world.id, kind: timer.kind, subjectId: timer.subjectId, ...due })
    .onConflict((conflict) => conflict.columns(['worldId', 'kind', 'subjectId']).doUpdateSet(due))
    .execute();
}

/**
 * Removes a timer. Given with its `dueAt` it is removed only while it is due then: a worker that has done its work does not
 * remove what was set anew.
 *
 * @returns whether it was there
 */
export async function clearTimer(db: Queries, timer: Omit<Timer, 'dueAt'> & Partial<Timer>): Promise<boolean> {
  const { worldId, kind, subjectId, dueAt } = timer;
  const found = db
    .deleteFrom('timers')
    .where('worldId', '=', worldId)
    .where('kind', '=', kind)
    .where('subjectId', '=', subjectId);
  const removed = dueAt === undefined ? found : found.where('dueAt', '=', dueAt);
  const { numDeletedRows } = await removed.executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

export interface Claim {
  /** Real milliseconds UTC. */
  readonly realNow: number;
  /** How long they are this worker's alone; after that another one may claim what is still there. */
  readonly leaseMs: number;
  readonly limit: number;
}

/** Claims what is due, earliest first, none twice. Timers of frozen worlds are never due. */
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

/** Lets go of all timers. Only for who knows that no worker lives: the one owner of an SQLite file, at its start. */
export async function releaseAllTimers(db: Queries): Promise<void> {
  await db.updateTable('timers').set({ leaseUntil: null }).where('leaseUntil', 'is not', null).execute();
}

/** Real milliseconds UTC from which something can be claimed; null when nothing ever can, as things are. */
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

/** The timer of a world that is due first, if that is by this instant of its clock; claimed or not. */
export async function dueInWorld(db: Queries, worldId: string, until: number): Promise<Timer | null> {
  const row = await db
    .selectFrom('timers')
    .selectAll()
    .where('worldId', '=', worldId)
    .where('dueAt', '<=', until)
    // a seeded world repeats itself: what is due at once has an order too
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
