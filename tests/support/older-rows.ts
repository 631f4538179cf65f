import { sql } from 'kysely';
import type { Store } from '../../server/store/open.ts';

/** Removes the null fields of stored rides, like a server that did not have those fields yet. */
export async function dropNulls({ db }: Pick<Store, 'db'>): Promise<void> {
  const { rows } = await sql<{ id: string; document: string }>`select id, document from rides`.execute(db);
  for (const { id, document } of rows) {
    const older = JSON.stringify(JSON.parse(document), (_, value) => value ?? undefined);
    await sql`update rides set document = ${older} where id = ${id}`.execute(db);
  }
}
