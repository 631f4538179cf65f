import { sql } from 'kysely';
import { equal } from './equal.ts';
import type { Queries, Tx } from './schema.ts';

/** Records the latest call in a sandbox and by its passenger, if any, at most once every `everyMs`. */
export async function recordCall(
  tx: Tx,
  { worldId, passengerId }: { readonly worldId: string; readonly passengerId: string | null },
  realNow: number,
  everyMs: number,
): Promise<void> {
  await tx
    .updateTable('worlds')
    .set({ lastCalledAt: realNow })
    .where('id', '=', worldId)
    .where('lastCalledAt', '<=', realNow - everyMs)
    .execute();
  if (passengerId !== null) {
    await tx
      .updateTable('passengers')
      .set({ lastUsedAt: realNow })
      .where(equal({ worldId, id: passengerId }))
      .where('lastUsedAt', '<=', realNow - everyMs)
      .execute();
  }
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
    .where(
      sql<boolean>`not exists (
        select 1 from deliveries where world_id = worlds.id and world_id <> 'live' and status = 'pending'
        and real_due_at is not null
      )`,
    )
    .where(
      sql<boolean>`not exists (
        select 1 from applications where id = worlds.application_id and sandbox_world_id = worlds.id
      )`,
    )
    .orderBy('lastCalledAt')
    .limit(limit)
    .execute();
}
