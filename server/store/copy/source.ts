import { existsSync, statSync } from 'node:fs';
import Libsql from 'libsql';
import { assertMigratedBy } from '../migrate.ts';
import { assertOwner, DatabaseInUse, ownAlone } from '../one-owner.ts';
import { decodedRow, encodedRow, quoted } from './encoded-row.ts';
import { isOfTools } from './marker.ts';
import { type Column, keyOf, type Row, type Table } from './tables.ts';

/** An SQLite file that no one else owns or writes to until it is closed. */
export interface Source {
  /** Referenced tables come first. */
  readonly tables: readonly Table[];
  /**
   * Reads a table in pages, ordered by key. @param after the key of the last row read; null: starts at the first row
   */
  pages(table: Table, after: Row | null): Generator<readonly Row[]>;
  close(): void;
}

/** Request bodies are bounded, so a page takes a few megabytes at most. */
const MOST_ROWS_IN_A_PAGE = 1000;

/** Throws when the file does not exist, a server owns it, or its tables do not match this server. */
export function openSource(path: string): Source {
  // opening a missing file would create it
  if (!existsSync(path)) throw new Error(`There is no database at ${path}. Check --from or DATABASE_URL.`);
  assertOwner(path, statSync(path));
  const release = own(path);
  const database = new Libsql(path, { timeout: 0 });
  const close = () => {
    // libsql may close the file later, after its statements are collected
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

/** Processes other than servers may still open and read the file. */
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
    throw new Error(`${path} is in use by a server. Stop it first: its changes during the copy would be lost.`);
  }
}

function assertOfThisServer(database: Libsql.Database, path: string): void {
  try {
    const run = database.prepare('select name from kysely_migration').all() as { name: string }[];
    assertMigratedBy(run.map(({ name }) => name));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The tables in ${path} do not match this version: ${why}. Start a server of this version on it once, and stop it, ` +
        'so that both databases have run the same migrations.',
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
