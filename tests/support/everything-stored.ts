import { sql } from 'kysely';
import type { Store } from '../../server/store/open.ts';

const TABLES = {
  sqlite: "select name from sqlite_master where type = 'table'",
  postgres: 'select table_name as name from information_schema.tables where table_schema = current_schema()',
};

/** Every row of every table, so that a test can compare the database before and after. */
export async function everythingStored(store: Store): Promise<Record<string, string[]>> {
  // uses the database's own names, because converting them would take most of the time
  const db = store.db.withoutPlugins();
  const names = await sql<{ name: string }>`${sql.raw(TABLES[store.engine])}`.execute(db);
  const found: Record<string, string[]> = {};
  for (const { name } of names.rows) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
    found[name] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return found;
}
