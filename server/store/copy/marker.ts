import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database, Queries } from '../schema.ts';
import type { Content } from './content.ts';
import type { Row } from './tables.ts';

/**
 * A table that exists in the target until the copy is complete. It has a row for each table to copy, with its expected
 * content and progress.
 */
const NAME = 'unfinished_copy';

export interface Progress {
  readonly content: Content;
  readonly copiedRows: number;
  /** The key of the last copied row; null before the first row. */
  readonly copiedTo: Row | null;
}

/** Throws when a copy to this schema is unfinished. */
export async function assertWhole(db: Kysely<Database>, schema: string): Promise<void> {
  if (!(await hasMarker(db, schema))) return;
  throw new Error(
    `The schema ${schema} contains an unfinished copy of an SQLite database. To continue it, run ` +
      'npm run migrate:to-postgres again. Otherwise, set DATABASE_URL to another database.',
  );
}

export async function hasMarker(db: Queries, schema: string): Promise<boolean> {
  return (await tablesIn(db, schema)).includes(NAME);
}

/** Throws when a schema has tables and no marker of an unfinished copy. */
export async function assertFree(db: Queries, schema: string): Promise<void> {
  const tables = await tablesIn(db, schema);
  if (tables.length > 0 && !tables.includes(NAME)) throw notEmpty(schema);
}

function notEmpty(schema: string): Error {
  return new Error(
    `The schema ${schema} of the target already has tables. Specify an empty database in --to, or another schema with ?schema=.`,
  );
}

async function tablesIn(db: Queries, schema: string): Promise<string[]> {
  const query = sql<{ tablename: string }>`select tablename from pg_tables where schemaname = ${schema}`;
  return (await query.execute(db)).rows.map(({ tablename }) => tablename);
}

/** Marks a schema. Throws when it has tables. */
export async function createMarker(
  db: Kysely<Database>,
  schema: string,
  contents: ReadonlyMap<string, Content>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`create table ${marker(schema)} (
      table_name text primary key, total_rows bigint not null, checksum text not null,
      copied_rows bigint not null, copied_to text
    )`.execute(tx);
    // another copy may have finished in the meantime
    if ((await tablesIn(tx, schema)).length > 1) throw notEmpty(schema);
    for (const [table, { rows, checksum }] of contents) {
      await sql`insert into ${marker(schema)} values (${table}, ${rows}, ${checksum}, 0, null)`.execute(tx);
    }
  });
}

export async function readMarker(db: Kysely<Database>, schema: string): Promise<ReadonlyMap<string, Progress>> {
  const { rows } = await sql<{
    table_name: string;
    total_rows: number;
    checksum: string;
    copied_rows: number;
    copied_to: string | null;
  }>`select * from ${marker(schema)}`.execute(db);
  return new Map(
    rows.map((row) => [
      row.table_name,
      {
        content: { rows: row.total_rows, checksum: row.checksum },
        copiedRows: row.copied_rows,
        copiedTo: row.copied_to === null ? null : JSON.parse(row.copied_to),
      },
    ]),
  );
}

/**
 * The SQL fragment that advances the marker and returns a row. It returns no row if another process has advanced the
 * marker.
 */
export function step(
  schema: string,
  table: string,
  { copiedRows }: Progress,
  { rows, key }: { readonly rows: number; readonly key: Row },
): RawBuilder<unknown> {
  return sql`
    update ${marker(schema)} set copied_rows = ${copiedRows + rows}, copied_to = ${JSON.stringify(key)}
    where table_name = ${table} and copied_rows = ${copiedRows} returning 1`;
}

export async function dropMarker(db: Kysely<Database>, schema: string): Promise<void> {
  await sql`drop table ${marker(schema)}`.execute(db);
}

/** Whether a table belongs to the copy or the migrations rather than the server. */
export function isOfTools(table: string): boolean {
  return table === NAME || table.startsWith('kysely_');
}

function marker(schema: string): RawBuilder<unknown> {
  return sql.id(schema, NAME);
}
