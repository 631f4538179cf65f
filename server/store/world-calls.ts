import { sql } from 'kysely';
import { equal } from './equal.ts';
import type { Database, Queries, Tx } from './schema.ts';

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

export type CallPlace = Readonly<Pick<Database['worlds'], 'lastCalledAt' | 'id'>>;

export const FIRST_CALL: CallPlace = { lastCalledAt: -1, id: '' };

/**
 * Reads the next worlds by their last call, before `before`, and finds the sandboxes that have no webhook scheduled in real
 * time. A default sandbox is never forgotten.
 * @param before real milliseconds UTC
 * @returns `last`: the end of this batch; null when there are no more
 */
export async function forgottenWorlds(db: Queries, before: number, after: CallPlace, limit: number) {
  const isForgotten = sql<number>`case when kind = 'sandbox' and ending is null
    and not exists (
      select 1 from deliveries where world_id = worlds.id and world_id <> 'live' and status = 'pending'
      and real_due_at is not null
    )
    and not exists (select 1 from applications where id = worlds.application_id and sandbox_world_id = worlds.id)
    then 1 else 0 end`;
  const called = await db
    .selectFrom('worlds')
    .select(['id', 'applicationId', 'lastCalledAt', isForgotten.as('isForgotten')])
    .where('lastCalledAt', '<', before)
    .where(sql<boolean>`(last_called_at, id) > (${after.lastCalledAt}, ${after.id})`)
    .orderBy('lastCalledAt')
    .orderBy('id')
    .limit(limit)
    .execute();
  return { worlds: called.filter((world) => world.isForgotten === 1), last: called.at(-1) ?? null };
}
