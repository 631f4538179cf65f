import { existsSync, statSync } from 'node:fs';
import Libsql from 'libsql';
import { assertMigratedBy } from '../migrate.ts';
import { assertOwner, DatabaseInUse, ownAlone } from '../one-owner.ts';
import { decodedRow, encodedRow, quoted } from './encoded-row.ts';
import { isOfTools } from './marker.ts';
import { type Column, keyOf, type Row, type Table } from './tables.ts';

/** An SQLite file that nobody else owns or writes to until it is closed. */
export interface Source {
  /** Those that others refer to come first. */
  readonly tables: readonly Table[];
  /** Reads a table in pages, in the order of its key. @param after the key of the row to go on behind; null: the first */
  pages(table: Table, after: Row | null): Generator<readonly Row[]>;
  close(): void;
}

/** Rows are bounded by the bodies of requests, so a page takes some megabytes. */
const MOST_ROWS_IN_A_PAGE = 1000;

/** Throws when there is no file, a server owns it, or its tables are not those of this server. */
export function openSource(path: string): Source {
  // opening a file that does not exist would create it
  if (!existsSync(path)) throw new Error(`There is no database at ${path}. --from or DATABASE_URL names it.`);
  assertOwner(path, statSync(path));
  const release = own(path);
  const database = new Libsql(path, { timeout: 0 });
  const close = () => {
    // libsql may close the file later, when it has collected its statements
    if (database.inTransaction) database.exec('rollback');
    database.close();
    release();
  };
  try {
    lockForWriting(database, path);
    assertOfThisServer(database, path);
    return { tables: tablesOf(database), pages: (table, after) => pagesOf(database, table, after), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Others than servers may open the file, and can read it. */
function lockForWriting(database: Libsql.Database, path: string): void {
  try {
    database.exec('begin immediate');
  } catch (error) {
    throw new Error(`${path} cannot be locked: ${error instanceof Error ? error.message : error}.`);
  }
}

function own(path: string): () => void {
  try {
    return ownAlone(path);
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error;
    throw new Error(`${path} is in use by a server. Stop it first: what it writes during the copy would be lost.`);
  }
}

function assertOfThisServer(database: Libsql.Database, path: string): void {
  try {
    const run = database.prepare('select name from kysely_migration').all() as { name: string }[];
    assertMigratedBy(run.map(({ name }) => name));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${path} has not the tables of this version: ${why}. Start the server of this version on it once, and stop it: ` +
        'then both databases have run the same migrations.',
    );
  }
}

function tablesOf(database: Libsql.Database): Table[] {
  const rows = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
  const names = (rows as { name: string }[]).map(({ name }) => name);
  const tables = names.filter((name) => !name.startsWith('sqlite_') && !isOfTools(name));
  return parentsFirst(database, tables).map((name) => tableOf(database, name));
}

function tableOf(database: Libsql.Database, name: string): Table {
  const found = database
    .prepare('select name, lower(type) as type, pk from pragma_table_info(?) order by cid')
    .all(name);
  const columns = found as (Column & { readonly pk: number })[];
  const inKey = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  return { name, columns: columns.map(({ name, type }) => ({ name, type })), key: inKey.map(({ name }) => name) };
}

function parentsFirst(database: Libsql.Database, names: readonly string[]): readonly string[] {
  const sorted = new Set<string>();
  const parents = database.prepare('select "table" as parent from pragma_foreign_key_list(?)');
  const take = (name: string) => {
    if (sorted.has(name)) return;
    for (const { parent } of parents.all(name) as { parent: string }[]) if (parent !== name) take(parent);
    sorted.add(name);
  };
  names.forEach(take);
  return [...sorted];
}

function* pagesOf(database: Libsql.Database, table: Table, after: Row | null): Generator<readonly Row[]> {
  const key = table.key.map(quoted).join(', ');
  const all = `select ${encodedRow(table)} from ${quoted(table.name)}`;
  const inOrder = `order by ${key} limit ${MOST_ROWS_IN_A_PAGE}`;
  const first = database.prepare(`${all} ${inOrder}`).raw();
  const next = database.prepare(`${all} where (${key}) > (${table.key.map(() => '?')}) ${inOrder}`).raw();
  for (let last = after; ; ) {
    const found = (last === null ? first.all() : next.all(...last)) as readonly [Buffer][];
    if (found.length === 0) return;
    const rows = found.map(([blob]) => decodedRow(table, blob));
    last = keyOf(table, rows.at(-1)!);
    yield rows;
  }
}
