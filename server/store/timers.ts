import { realTimeOf } from '../domain/worlds/clock.ts';
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

export function toTimer({ worldId, kind, subjectId, dueAt }: Omit<TimerRow, 'realDueAt' | 'leaseUntil'>): Timer {
  return { worldId, kind, subjectId, dueAt };
}
