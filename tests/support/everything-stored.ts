import { sql } from 'kysely';
import type { Engine, Store } from '../../server/store/engine/open.ts';

const COLUMNS = {
  sqlite: `select t.name as "table", c.name as "column" from sqlite_schema t, pragma_table_info(t.name) c
    where t.type = 'table' order by c.cid`,
  postgres: `select t.table_name as "table", c.column_name as "column"
    from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
    where table_schema = current_schema() and t.table_type = 'BASE TABLE' order by c.ordinal_position`,
};

/** For each engine, the statement that returns one row for each table. Many queries or many rows take much longer. */
const readings: Partial<Record<Engine, Promise<string>>> = {};

/** Every row of every table, so that a test can compare the database before and after. */
export async function everythingStored(store: Store): Promise<Record<string, string[]>> {
  return rowsIn(await tablesIn(store));
}

/** The rows of a table as one JSON text, in the order in which the database finds them. */
export interface TableText {
  readonly of: string;
  readonly all: string;
}

export async function tablesIn(store: Store): Promise<TableText[]> {
  // all databases of the tests have the same tables
  readings[store.engine] ??= readingOf(store);
  const statement = await readings[store.engine]!;
  return (await sql<TableText>`${sql.raw(statement)}`.execute(store.db.withoutPlugins())).rows;
}

/** The sorted rows of each table. */
export function rowsIn(tables: readonly TableText[]): Record<string, string[]> {
  return Object.fromEntries(tables.map(({ of, all }) => [of, JSON.parse(all).sort()]));
}

async function readingOf({ db, engine }: Store): Promise<string> {
  const found = await sql<{ table: string; column: string }>`${sql.raw(COLUMNS[engine])}`.execute(db.withoutPlugins());
  const tables = [...new Set(found.rows.map(({ table }) => table))];
  const selects = tables.map((table) => {
    const own = found.rows.filter((column) => column.table === table);
    const pairs = own.flatMap(({ column }) => [`'${column}'`, `"${column}"`]).join(', ');
    const all =
      engine === 'sqlite'
        ? // as a text, because json_group_array would take in the object itself
          `json_group_array(json_object(${pairs}) || '')`
        : `cast(coalesce(json_agg(cast(row_to_json(t) as text)), '[]') as text)`;
    return `select '${table}' as "of", ${all} as "all" from "${table}" t`;
  });
  return selects.join(' union all ');
}
