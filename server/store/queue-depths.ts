import type { WorldKind } from '../domain/worlds/clock.ts';
import { dueSometime } from './deliveries/lines.ts';
import { timersWithInstant } from './due-timers.ts';
import type { Queries } from './schema.ts';

/** Entries of an index that are read of each queue in each kind of world. Beyond it, every figure is "at least". */
export const MOST_COUNTED = 5000;

export type Queue = 'timers' | 'deliveries';

/** What waits in a queue, without what has no due time because its sandbox is frozen. */
export interface QueueDepth {
  readonly queue: Queue;
  readonly kind: WorldKind;
  /** Due by now, also while a worker has it. */
  readonly due: number;
  readonly dueLater: number;
  /** Real milliseconds UTC; null: nothing is due. */
  readonly oldestDueAt: number | null;
}

/** Counts what waits, in one statement. Of many timers it counts the ones that are due first. */
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
  // in no order: their indexes are by line first
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
