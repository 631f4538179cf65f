import { sql } from 'kysely';
import type { Queries, Tx } from './schema.ts';

/**
 * Records the latest call in a sandbox, at most once every `everyMs`.
 * @param realNow milliseconds UTC
 */
export async function recordCall(db: Queries, worldId: string, realNow: number, everyMs: number): Promise<void> {
  await db
    .updateTable('worlds')
    .set({ lastCalledAt: realNow })
    .where('id', '=', worldId)
    .where('lastCalledAt', '<=', realNow - everyMs)
    .execute();
}

/** Counts an application's sandboxes, without its default one and without those being deleted. */
export async function countMadeWorlds(
  tx: Tx,
  application: { readonly id: string; readonly sandboxWorldId: string },
): Promise<number> {
  const { count } = await tx
    .selectFrom('worlds')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('applicationId', '=', application.id)
    .where('id', '<>', application.sandboxWorldId)
    .where((row) => row.or([row('ending', 'is', null), row('ending', '<>', 'deletion')]))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Sandboxes whose last call was before `before` and that have no webhook scheduled in real time. A default sandbox is
 * never forgotten.
 * @param before real milliseconds UTC
 */
export async function forgottenWorlds(db: Queries, before: number, limit: number) {
  return db
    .selectFrom('worlds')
    .select(['id', 'applicationId'])
    .where('lastCalledAt', '<', before)
    .where('kind', '=', 'sandbox')
    .where('ending', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries')
            .select('deliveries.eventId')
            .whereRef('deliveries.worldId', '=', 'worlds.id')
            // a literal: with a bound parameter, SQLite does not use the partial index
            .where('deliveries.status', '=', sql.lit<'pending'>('pending'))
            .where('deliveries.realDueAt', 'is not', null),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('applications')
            .select('applications.id')
            .whereRef('applications.id', '=', 'worlds.applicationId')
            .whereRef('applications.sandboxWorldId', '=', 'worlds.id'),
        ),
      ),
    )
    .orderBy('lastCalledAt')
    .limit(limit)
    .execute();
}
