import type { WorldKind } from '../domain/worlds/clock.ts';
import { dueSometime } from './deliveries/lanes.ts';
import { timersWithInstant } from './due-timers.ts';
import type { Queries } from './schema.ts';

/** The most index entries counted for each queue and kind of world. A figure at this bound means "at least". */
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
  const ofTimers = (kind: WorldKind) =>
    db
      .selectFrom(timersWithInstant(kind).select('realDueAt').orderBy('realDueAt').limit(MOST_COUNTED).as('counted'))
      .select(({ fn, val }) => [
        val<Queue>('timers').as('queue'),
        val(kind).as('kind'),
        fn.countAll<number>().as('all'),
        fn.countAll<number>().filterWhere('realDueAt', '<=', realNow).as('due'),
        fn.min('realDueAt').as('first'),
      ]);
  // unordered: the delivery indexes start with the lane
  const ofDeliveries = (kind: WorldKind) =>
    db
      .selectFrom(dueSometime(kind).select('deliveries.realDueAt').limit(MOST_COUNTED).as('counted'))
      .select(({ fn, val }) => [
        val<Queue>('deliveries').as('queue'),
        val(kind).as('kind'),
        fn.countAll<number>().as('all'),
        fn.countAll<number>().filterWhere('realDueAt', '<=', realNow).as('due'),
        fn.min('realDueAt').as('first'),
      ]);
  const rows = await ofTimers('live')
    .unionAll(ofTimers('sandbox'))
    .unionAll(ofDeliveries('live'))
    .unionAll(ofDeliveries('sandbox'))
    .execute();
  return rows.map(({ queue, kind, all, due, first }) => {
    return { queue, kind, due, dueLater: all - due, oldestDueAt: due > 0 ? first : null };
  });
}
