import type { SelectQueryBuilder } from 'kysely';
import type { WorldKind } from '../domain/worlds/clock.ts';
import { dueSometime } from './deliveries/lanes.ts';
import { timersWithInstant } from './due-timers.ts';
import type { Database, Queries } from './schema.ts';

/** Timers, and deliveries, counted in each kind of world. @beyond the gauges show a lower bound */
export const MOST_COUNTED = 5000;

export type Queue = 'timers' | 'deliveries';

/** The backlog of a queue. Entries without a due time, in frozen sandboxes, do not count. */
export interface QueueDepth {
  readonly queue: Queue;
  readonly kind: WorldKind;
  /** Due now, including those that a worker holds. */
  readonly due: number;
  readonly dueLater: number;
  /** Real milliseconds UTC; null: nothing is due. */
  readonly oldestDueAt: number | null;
}

/** Counts the backlog of every queue in one statement. If there are many timers, it counts those due first. */
export async function queueDepths(db: Queries, realNow: number): Promise<QueueDepth[]> {
  const depthOf = (queue: Queue, kind: WorldKind) => {
    const dueAt: SelectQueryBuilder<Database, never, { realDueAt: number | null }> =
      queue === 'timers'
        ? timersWithInstant(kind).select('realDueAt').orderBy('realDueAt')
        : // the indexes of due deliveries start with the application
          dueSometime(kind).select('deliveries.realDueAt').orderBy('deliveries.applicationId');
    return db
      .selectFrom(dueAt.limit(MOST_COUNTED).as('counted'))
      .select(({ fn, val }) => [
        val(queue).as('queue'),
        val(kind).as('kind'),
        fn.countAll<number>().as('all'),
        fn.countAll<number>().filterWhere('realDueAt', '<=', realNow).as('due'),
        fn.min('realDueAt').as('first'),
      ]);
  };
  const rows = await depthOf('timers', 'live')
    .unionAll(depthOf('timers', 'sandbox'))
    .unionAll(depthOf('deliveries', 'live'))
    .unionAll(depthOf('deliveries', 'sandbox'))
    .execute();
  return rows.map(({ queue, kind, all, due, first }) => {
    return { queue, kind, due, dueLater: all - due, oldestDueAt: due > 0 ? first : null };
  });
}
