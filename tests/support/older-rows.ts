import { sql } from 'kysely';
import type { Store } from '../../server/store/engine/open.ts';

/** Removes the null fields of stored rides, like a server that did not have those fields yet. */
export async function dropNulls({ db }: Pick<Store, 'db'>): Promise<void> {
  const { rows } = await sql<{ world: string; id: string; document: string }>`
    select world_id as world, id, document from rides`.execute(db);
  for (const { world, id, document } of rows) {
    const older = JSON.stringify(JSON.parse(document), (_, value) => value ?? undefined);
    await sql`update rides set document = ${older} where world_id = ${world} and id = ${id}`.execute(db);
  }
}
