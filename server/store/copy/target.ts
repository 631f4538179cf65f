import { Kysely, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { CONNECTION_BOUNDS, connectionsTo } from '../engine/connections.ts';
import { isUnavailable, postgresDialect } from '../engine/dialect.ts';
import { migrate } from '../migrate.ts';
import type { ServerPlace } from '../place.ts';
import type { Database } from '../schema.ts';
import { type Content, newSum } from './content.ts';
import {
  assertFree,
  createMarker,
  dropMarker,
  hasMarker,
  isOfTools,
  type Progress,
  readMarker,
  step,
} from './marker.ts';
import { type Column, differences, keyOf, type Row, type Table } from './tables.ts';

/** The PostgreSQL schema that a copy fills. */
export interface Target {
  /** Creates the tables, or finds those of an earlier run. @returns the progress of each table */
  begin(tables: readonly Table[], contents: ReadonlyMap<string, Content>): Promise<ReadonlyMap<string, Progress>>;
  /** Stores a table's next rows and its progress in one transaction. */
  store(table: Table, rows: readonly Row[], progress: Progress): Promise<Progress>;
  /** Reads the whole table. */
  contentOf(table: Table, onRows: (rows: number) => void): Promise<Content>;
  /** Allows servers to start. */
  finish(tables: readonly Table[]): Promise<void>;
  close(): Promise<void>;
}

/** PostgreSQL holds the rest of the table until it is fetched. */
const MOST_ROWS_FETCHED = 1000;

/** Throws when PostgreSQL cannot be reached, or the schema has tables that do not belong to an unfinished copy. */
export async function openTarget(place: ServerPlace): Promise<Target> {
  const db = new Kysely<Database>({ dialect: postgresDialect(connectionsTo(pg, place, CONNECTION_BOUNDS.migrations)) });
  const schema = place.schema ?? 'public';
  try {
    await assertUtf8(db, place.url.host);
    await assertFree(db, schema);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    begin: (tables, contents) => begin(db, schema, tables, contents),
    store: (table, rows, progress) => store(db, schema, { table, rows, progress }),
    contentOf: (table, onRows) => contentOf(db, table, onRows),
    finish: (tables) => finish(db, schema, tables),
    close: () => db.destroy(),
  };
}

/**
 * The message of an error from PostgreSQL or its connection. When a host name has several addresses, Node's error has
 * no message.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || String((error as { code?: unknown }).code);
}

/** Other encodings cannot store every character that SQLite accepts. */
async function assertUtf8(db: Kysely<Database>, host: string): Promise<void> {
  const query = sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`;
  const { rows } = await query.execute(db).catch((error: unknown) => {
    throw new Error(`PostgreSQL at ${host} cannot be reached: ${reasonOf(error)}`);
  });
  const { encoding } = rows[0]!;
  if (encoding !== 'UTF8') {
    throw new Error(`The database at ${host} has the encoding ${encoding}. Create one with the encoding UTF8`);
  }
}

async function begin(
  db: Kysely<Database>,
  schema: string,
  tables: readonly Table[],
  contents: ReadonlyMap<string, Content>,
): Promise<ReadonlyMap<string, Progress>> {
  // the marker comes first, so that no server ever finds the tables without it
  if (!(await hasMarker(db, schema))) {
    await createSchema(db, schema);
    await createMarker(db, schema, contents);
  }
  const found = await readMarker(db, schema);
  assertSameCopy(found, contents);
  await migrate(db, schema).catch((error: unknown) => {
    throw isUnavailable(error) ? error : notThisVersion(reasonOf(error));
  });
  const problems = differences(tables, await tablesIn(db, schema));
  if (problems.length > 0) throw notThisVersion(problems.join(', '));
  return found;
}

function notThisVersion(why: string): Error {
  return new Error(
    `The tables of the target do not match the source: ${why}. Both must have run the migrations of this version, and ` +
      `the target must have no other tables. ${START_AGAIN}`,
  );
}

const START_AGAIN = 'To start over, specify an empty database in --to.';

/** A user may be allowed to create tables in a schema but no schemas. */
async function createSchema(db: Kysely<Database>, schema: string): Promise<void> {
  const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(db);
  if (rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(db);
}

function assertSameCopy(found: ReadonlyMap<string, Progress>, contents: ReadonlyMap<string, Content>): void {
  const names = new Set([...found.keys(), ...contents.keys()]);
  const changed = [...names].filter((name) => found.get(name)?.content.checksum !== contents.get(name)?.checksum);
  if (changed.length === 0) return;
  throw new Error(
    'The target contains an unfinished copy of another database, or the SQLite file has changed since then: ' +
      `${changed.join(', ')}. ${START_AGAIN}`,
  );
}

async function tablesIn(db: Kysely<Database>, schema: string): Promise<Table[]> {
  const { rows } = await sql<Column & { readonly table: string }>`
    select table_name as "table", column_name as name, data_type as type
    from information_schema.columns where table_schema = ${schema}`.execute(db);
  const names = [...new Set(rows.map(({ table }) => table))].filter((name) => !isOfTools(name));
  return names.map((name) => ({ name, columns: rows.filter(({ table }) => table === name), key: [] }));
}

interface Batch {
  readonly table: Table;
  readonly rows: readonly Row[];
  readonly progress: Progress;
}

/** One statement, so that the rows and the marker are stored together. It has one parameter per column. */
async function store(db: Kysely<Database>, schema: string, { table, rows, progress }: Batch): Promise<Progress> {
  const key = keyOf(table, rows.at(-1)!);
  const lists = table.columns.map(({ type }, i) => sql`${rows.map((row) => row[i])}::${sql.raw(type)}[]`);
  const insert = sql`
    with step as (${step(schema, table.name, progress, { rows: rows.length, key })})
    insert into ${sql.table(table.name)} (${columnsOf(table)})
    select * from unnest(${sql.join(lists)}) where exists (select from step)`;
  const { numAffectedRows } = await insert.execute(db).catch((error: unknown) => {
    throw isUnavailable(error) ? error : new Error(refusal(table, rows, reasonOf(error)));
  });
  if (Number(numAffectedRows) !== rows.length) throw new Error('Another process is copying to the same target.');
  return { ...progress, copiedRows: progress.copiedRows + rows.length, copiedTo: key };
}

function refusal(table: Table, rows: readonly Row[], why: string): string {
  const [first, last] = [rows[0]!, rows.at(-1)!].map((row) => JSON.stringify(keyOf(table, row)));
  return `PostgreSQL refused rows of ${table.name} with keys from ${first} to ${last}: ${why}`;
}

function contentOf(db: Kysely<Database>, table: Table, onRows: (rows: number) => void): Promise<Content> {
  const sum = newSum();
  return db.transaction().execute(async (tx) => {
    await sql`declare all_rows no scroll cursor for select ${columnsOf(table)} from ${sql.table(table.name)}`.execute(
      tx,
    );
    for (;;) {
      const { rows } = await sql<
        Record<string, Row[number]>
      >`fetch ${sql.lit(MOST_ROWS_FETCHED)} from all_rows`.execute(tx);
      if (rows.length === 0) return sum.content();
      for (const row of rows) sum.add(Object.values(row));
      onRows(sum.content().rows);
    }
  });
}

async function finish(db: Kysely<Database>, schema: string, tables: readonly Table[]): Promise<void> {
  // without statistics, the first queries would scan whole tables
  await sql`analyze ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(db);
  await dropMarker(db, schema);
}

function columnsOf({ columns }: Table): RawBuilder<unknown> {
  return sql.join(columns.map(({ name }) => sql.ref(name)));
}
