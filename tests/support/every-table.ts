import Libsql from 'libsql';
import { createFile } from './database.ts';

/** Characters that an engine, or its list syntax, could treat as special. */
const ODD = [
  '{a,"b"}',
  "it's \\ back\\\\slash",
  '{"ride":"\\u0000"}',
  'null',
  '\u{1F697} Zürich\u2028\ufeff',
  ' \t\r\n ',
  '\u007f\u0001',
];

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: 0 | 1;
  readonly pk: number;
}

/**
 * Creates an SQLite database with rows in every table. Rows with the same number refer to each other.
 * @param url the URL of a file that does not exist yet
 * @param counts the number of rows for each table
 */
export async function fillEveryTable(url: string, counts: (table: string) => number): Promise<void> {
  await createFile(url);
  withFile(url, (database) => {
    database.exec('pragma foreign_keys = off; begin');
    // triggers would fill other tables
    const found = database.prepare("select name, sql from sqlite_schema where type = 'trigger'").all();
    const triggers = found as { name: string; sql: string }[];
    for (const { name } of triggers) database.exec(`drop trigger ${name}`);
    for (const table of tablesOf(database)) fill(database, table, counts(table));
    for (const { sql } of triggers) database.exec(sql);
    database.exec('commit');
  });
}

/** Opens an SQLite file that no server uses. */
export function withFile<T>(url: string, work: (database: Libsql.Database) => T): T {
  const database = new Libsql(url.slice('file:'.length));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** The tables of the server. */
export function tablesOf(database: Libsql.Database): string[] {
  const found = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'kysely_%'")
    .all();
  return (found as { name: string }[]).map(({ name }) => name);
}

function fill(database: Libsql.Database, table: string, count: number): void {
  const columns = database
    .prepare('select name, lower(type) as type, "notnull", pk from pragma_table_info(?)')
    .all(table) as Column[];
  const places = columns.map(() => '?').join(', ');
  const insert = database.prepare(`insert into "${table}" values (${places})`);
  for (let n = 0; n < count; n++) insert.run(columns.map((column, i) => valueIn(column, n, n + i)));
}

/** @param turn selects one of the values of the type */
function valueIn({ name, type, notnull, pk }: Column, n: number, turn: number): string | number | null {
  // columns of primary and foreign keys: rows with the same number refer to each other
  if (pk > 0 || name.endsWith('_id')) return type === 'text' ? `key ${n} ${ODD[n % ODD.length]}` : n + 1;
  if (!notnull && turn % 3 === 0) return null;
  if (!notnull && type === 'text' && turn % 3 === 1) return '';
  if (type === 'text') return `${n} ${ODD[turn % ODD.length]}`;
  const [least, most] =
    type === 'bigint' ? [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] : [-(2 ** 31), 2 ** 31 - 1];
  return [0, 1, least, most][turn % 4]!;
}
