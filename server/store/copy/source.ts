import { isUtf8 } from 'node:buffer';
import { existsSync, statSync } from 'node:fs';
import Libsql from 'libsql';
import { assertMigratedBy } from '../migrate.ts';
import { assertOwner, DatabaseInUse, ownAlone } from '../one-owner.ts';

export interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: keyof typeof CHECKS }[];
  readonly rows: number;
}

type Value = string | number | null;
/** The values of a row, in column order. */
export type Row = readonly Value[];

export type Source = ReturnType<typeof openSource>;

/**
 * Rows of SQLite that a copy to PostgreSQL reads and inserts at once. Request bodies are bounded, so they take a few
 * megabytes at most.
 * @beyond it reads further ones next
 * @heldBy tests/store/copy.test.ts
 */
const MOST_ROWS_IN_A_PAGE = 1000;
/** Columns that belong to the processes that used the file. A server clears them when it starts. */
const OF_PROCESSES: readonly string[] = ['lease_owner', 'lease_until'];

/** What is wrong with a value for each column type of the migrations; null if nothing is. */
const CHECKS = {
  text: (value: Value) =>
    typeof value !== 'string' ? 'is not text' : value.includes('\0') ? 'has a NUL character' : null,
  integer: (value: Value) => rangeProblem(value, -(2 ** 31), 2 ** 31 - 1),
  // the server reads it as a JavaScript number
  bigint: (value: Value) => rangeProblem(value, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
};

function rangeProblem(value: Value, least: number, most: number): string | null {
  const isIn = Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  return isIn ? null : `is not an integer from ${least} to ${most}`;
}

/**
 * Opens an SQLite file that no one else owns or writes to until it is closed. Throws when the file does not exist, a
 * server owns it, or its tables do not match this server.
 */
export function openSource(path: string) {
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
    // processes other than servers may still open and read the file
    explained(
      () => database.exec('begin immediate'),
      (why) => `${path} cannot be locked: ${why}.`,
    );
    explained(
      () => assertMigratedBy(namesIn(database, 'select name from kysely_migration')),
      (why) =>
        `The tables in ${path} do not match this version: ${why}. Start a server of this version on it once, and stop ` +
        'it, so that both databases have run the same migrations.',
    );
    return { tables: tablesOf(database), pages: (table: Table) => pagesOf(database, table), close };
  } catch (error) {
    close();
    throw error;
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

function explained(work: () => void, message: (why: string) => string): void {
  try {
    work();
  } catch (error) {
    throw new Error(message(error instanceof Error ? error.message : String(error)));
  }
}

function namesIn(database: Libsql.Database, query: string, ...parameters: string[]): string[] {
  return (database.prepare(query).all(...parameters) as { name: string }[]).map(({ name }) => name);
}

/** Referenced tables come first. */
function tablesOf(database: Libsql.Database): readonly Table[] {
  const parentsFirst = new Set<string>();
  const take = (table: string) => {
    const parents = 'select "table" as name from pragma_foreign_key_list(?) where "table" <> ?';
    namesIn(database, parents, table, table).forEach(take);
    parentsFirst.add(table);
  };
  namesIn(database, "select name from sqlite_schema where type = 'table' order by name")
    .filter((name) => !/^(sqlite|kysely)_/.test(name))
    .forEach(take);
  const columns = database.prepare('select name, lower(type) as type from pragma_table_info(?) order by cid');
  return [...parentsFirst].map((name) => {
    const [counted] = database.prepare(`select count(*) as rows from ${quoted(name)}`).all() as { rows: number }[];
    return { name, columns: columns.all(name) as Table['columns'][number][], rows: counted!.rows };
  });
}

/** Reads a table in pages. Throws at a row that PostgreSQL cannot store. */
function* pagesOf(database: Libsql.Database, table: Table): Generator<readonly Row[]> {
  // in the order of the file, which is faster than that of the key, and a rowid is never null
  const query = `select rowid, ${jsonOf(table)} from ${quoted(table.name)} where rowid > ? order by rowid limit ?`;
  const next = database.prepare(query).raw();
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const found = next.all(last, MOST_ROWS_IN_A_PAGE) as [rowid: number, json: Buffer][];
    if (found.length === 0) return;
    yield found.map(([rowid, json]) => rowOf(table, rowid, json));
    last = found.at(-1)![0];
  }
}

/**
 * An expression for a row as the bytes of a JSON array. Plain columns do not work: libsql truncates texts at NUL
 * characters, and crashes on invalid UTF-8. JSON has no bytes, so an equally wrong fraction replaces them.
 */
function jsonOf({ columns }: Table): string {
  const values = columns.map(({ name }) =>
    OF_PROCESSES.includes(name) ? 'null' : `iif(typeof(${quoted(name)}) = 'blob', 0.5, ${quoted(name)})`,
  );
  return `cast(json_array(${values.join(', ')}) as blob)`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function rowOf({ name, columns }: Table, rowid: number, json: Buffer): Row {
  const row: Row = JSON.parse(json.toString());
  const isText = isUtf8(json);
  const problems = columns.flatMap(({ name, type }, i) => {
    const value = row[i]!;
    if (value === null) return [];
    // decoding has replaced wrong bytes with this character
    const problem = isText || !String(value).includes('\ufffd') ? CHECKS[type](value) : 'is not UTF-8';
    return problem === null ? [] : [`${name} ${problem}`];
  });
  if (problems.length === 0) return row;
  throw new Error(
    `PostgreSQL cannot store a row of ${name}: ${problems.join(', ')}. Its rowid is ${rowid}. Correct the row in the ` +
      'SQLite file, and run the command again.',
  );
}
