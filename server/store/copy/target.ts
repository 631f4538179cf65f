import { Kysely, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { CONNECTION_BOUNDS, connectionsTo } from '../engine/connections.ts';
import { postgresDialect } from '../engine/dialect.ts';
import { isUnavailable } from '../engine/errors.ts';
import type { ServerLocation } from '../location.ts';
import { createTables } from '../migrate.ts';
import type { Database } from '../schema.ts';
import type { Row, Table } from './source.ts';

/**
 * Rows of PostgreSQL that a copy compares at once. PostgreSQL holds the rest of the table until it is fetched.
 * @beyond it fetches further ones next
 * @heldBy tests/store/copy.test.ts
 */
const MOST_ROWS_FETCHED = 1000;

/**
 * Creates the tables of a server, fills them, and commits. Throws when PostgreSQL cannot be reached, when the schema
 * has tables, or when `fill` throws. Then PostgreSQL is unchanged.
 */
export async function inOneTransaction<T>(
  location: ServerLocation,
  fill: (connection: Kysely<Database>) => Promise<T>,
): Promise<T> {
  const db = new Kysely<Database>({
    dialect: postgresDialect(connectionsTo(pg, location, CONNECTION_BOUNDS.migrations)),
  });
  const schema = location.schema ?? 'public';
  try {
    await assertUtf8(db, location.url.host);
    return await db.connection().execute(async (connection) => {
      await sql`begin`.execute(connection);
      // waits until another copy to this schema ends, such as one that was killed a moment ago
      await sql`select pg_advisory_xact_lock(hashtext(${schema}))`.execute(connection);
      await assertFree(connection, schema);
      await createTables(connection, schema);
      const filled = await fill(connection);
      await sql`commit`.execute(connection);
      return filled;
    });
  } finally {
    // closing the connection rolls back a transaction that is still open
    await db.destroy();
  }
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

async function assertFree(db: Kysely<Database>, schema: string): Promise<void> {
  const { rows } = await sql`select 1 from pg_tables where schemaname = ${schema} limit 1`.execute(db);
  if (rows.length === 0) return;
  throw new Error(
    `The schema ${schema} of the target already has tables. Specify an empty database in --to, or another schema with ?schema=.`,
  );
}

/** Inserts pages of rows, and yields each one. A statement has one parameter per column. */
export async function* inserted(
  connection: Kysely<Database>,
  table: Table,
  pages: Iterable<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  // the copy has the counts, which triggers would add again
  await sql`alter table ${sql.table(table.name)} disable trigger user`.execute(connection);
  for (const rows of pages) {
    const lists = table.columns.map(({ type }, i) => sql`${rows.map((row) => row[i])}::${sql.raw(type)}[]`);
    const insert = sql`
      insert into ${sql.table(table.name)} (${columnsOf(table)}) select * from unnest(${sql.join(lists)})`;
    await insert.execute(connection).catch((error: unknown) => {
      throw isUnavailable(error) ? error : new Error(refusal(table, error));
    });
    yield rows;
  }
  await sql`alter table ${sql.table(table.name)} enable trigger user`.execute(connection);
  // without statistics, the first queries would scan whole tables
  await sql`analyze ${sql.table(table.name)}`.execute(connection);
}

function refusal({ name }: Table, error: unknown): string {
  const { detail } = error as { readonly detail?: string };
  // other details contain the whole row
  const key = detail?.startsWith('Key ') ? ` ${detail}` : '';
  return `PostgreSQL refused a row of ${name}: ${reasonOf(error)}.${key}`;
}

export async function* stored(connection: Kysely<Database>, table: Table): AsyncGenerator<readonly Row[]> {
  const all = sql`select ${columnsOf(table)} from ${sql.table(table.name)}`;
  await sql`declare all_rows no scroll cursor for ${all}`.execute(connection);
  const next = sql<Record<string, Row[number]>>`fetch ${sql.lit(MOST_ROWS_FETCHED)} from all_rows`;
  for (let { rows } = await next.execute(connection); rows.length > 0; { rows } = await next.execute(connection)) {
    yield rows.map((row) => Object.values(row));
  }
  await sql`close all_rows`.execute(connection);
}

function columnsOf({ columns }: Table): RawBuilder<unknown> {
  return sql.join(columns.map(({ name }) => sql.ref(name)));
}
