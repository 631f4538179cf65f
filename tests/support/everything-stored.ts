import { sql } from 'kysely';
import type { Store } from '../../server/store/open.ts';

/** Every row of every table. Two of these are equal when nothing was left behind in between. */
export async function everythingStored({ db: withPlugins, engine }: Store): Promise<Record<string, string[]>> {
  // names as the database has them: making others of them takes most of the time
  const db = withPlugins.withoutPlugins();
  const names =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{
          name: string;
        }>`select table_name as name from information_schema.tables where table_schema = current_schema()`;
  const found: Record<string, string[]> = {};
  for (const { name } of (await names.execute(db)).rows) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
    found[name] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return found;
}
