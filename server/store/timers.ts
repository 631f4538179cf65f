import { realTimeOf } from '../domain/worlds/clock.ts';
import { prepared } from './engine/prepared.ts';
import { equal } from './equal.ts';
import { excluded } from './on-conflict.ts';
import type { Queries, TimerRow } from './schema.ts';
import type { HeldWorld } from './worlds.ts';

/**
 * Timers in one statement: SQLite allows 32,766 parameters.
 * @beyond more statements follow in the same transaction
 * @heldBy tests/store/timers.test.ts
 */
const MOST_AT_ONCE = 1000;

/** The kind of a timer whose subject is a ride. */
export const RIDE_TIMER = 'ride';

/** A scheduled event for a subject. A subject has at most one timer of each kind. */
export type Timer = Readonly<Omit<TimerRow, 'realDueAt' | 'leaseUntil'>>;

/**
 * Sets or moves timers. A worker that claimed the old timer loses its lease.
 * @param world must be locked: otherwise a clock change before this commit would miss the timers
 */
export async function setTimers(
  db: Queries,
  { id: worldId, clock }: HeldWorld,
  timers: ReadonlyArray<Omit<Timer, 'worldId'>>,
): Promise<void> {
  const rows = timers.map(({ kind, subjectId, dueAt }) => {
    return { worldId, kind, subjectId, dueAt, realDueAt: realTimeOf(clock, dueAt), leaseUntil: null };
  });
  const [first] = rows;
  if (first !== undefined && rows.length === 1) return void (await timerUpsert(db, first));
  for (let i = 0; i < rows.length; i += MOST_AT_ONCE) await upsert(db, rows.slice(i, i + MOST_AT_ONCE)).execute();
}

const timerUpsert = prepared((db, row: TimerRow) => upsert(db, [row]));

function upsert(db: Queries, rows: readonly TimerRow[]) {
  return db
    .insertInto('timers')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['worldId', 'kind', 'subjectId']).doUpdateSet(excluded(['dueAt', 'realDueAt', 'leaseUntil'])),
    );
}

export async function clearTimers(
  db: Queries,
  { worldId, kind }: Pick<Timer, 'worldId' | 'kind'>,
  subjectIds: readonly string[],
): Promise<void> {
  const [first] = subjectIds;
  if (first !== undefined && subjectIds.length === 1) {
    return void (await timersDelete(db, { worldId, kind, subjectId: first }));
  }
  for (let i = 0; i < subjectIds.length; i += MOST_AT_ONCE) {
    await db
      .deleteFrom('timers')
      .where(equal({ worldId, kind }))
      .where('subjectId', 'in', subjectIds.slice(i, i + MOST_AT_ONCE))
      .execute();
  }
}

const timersDelete = prepared((db, { worldId, kind, subjectId }: Pick<Timer, 'worldId' | 'kind' | 'subjectId'>) =>
  db.deleteFrom('timers').where(equal({ worldId, kind, subjectId })),
);

/** Deletes a timer after its run, unless it was moved in the meantime. */
export async function clearTimer(db: Queries, { worldId, kind, subjectId, dueAt }: Timer): Promise<void> {
  await ranTimerDelete(db, { worldId, kind, subjectId, dueAt });
}

const ranTimerDelete = prepared((db, { worldId, kind, subjectId, dueAt }: Timer) =>
  db.deleteFrom('timers').where(equal({ worldId, kind, subjectId, dueAt })),
);

/** A world's first timer that is due by `until` on its clock, claimed or not. */
export async function dueInWorld(db: Queries, worldId: string, until: number): Promise<Timer | null> {
  const row = await db
    .selectFrom('timers')
    .selectAll()
    .where('worldId', '=', worldId)
    .where('dueAt', '<=', until)
    // in a seeded world, timers due at the same time always run in the same order
    .orderBy('dueAt')
    .orderBy('kind')
    .orderBy('subjectId')
    .limit(1)
    .executeTakeFirst();
  return row ? toTimer(row) : null;
}

export function toTimer({ worldId, kind, subjectId, dueAt }: Timer): Timer {
  return { worldId, kind, subjectId, dueAt };
}
