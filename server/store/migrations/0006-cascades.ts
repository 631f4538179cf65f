import { type Kysely, sql } from 'kysely';
import { hasRowLocks } from '../engine/dialect.ts';

interface ForeignKey {
  readonly table: string;
  readonly columns: readonly string[];
  readonly references: string;
  readonly keys: readonly string[];
}

const OF_RIDE = { columns: ['world_id', 'ride_id'], references: 'rides', keys: ['world_id', 'id'] };
const OF_EVENT = { columns: ['event_id'], references: 'events', keys: ['event_id'] };
const OF_PASSENGER = { columns: ['world_id', 'passenger_id'], references: 'passengers', keys: ['world_id', 'id'] };

/** Parents first: rebuilding an SQLite table deletes the rows that reference it. */
const FOREIGN_KEYS: readonly ForeignKey[] = [
  { table: 'events', ...OF_RIDE },
  { table: 'deliveries', ...OF_EVENT },
  { table: 'attempts', ...OF_EVENT },
  { table: 'refresh_tokens', ...OF_PASSENGER },
  { table: 'access_tokens', ...OF_PASSENGER },
];

/**
 * Deleting a ride now deletes its events with their deliveries, and deleting a passenger deletes their tokens. A ride
 * stores the id of its cost token, which replaces the table of used tokens. Dropping that table is safe: cost tokens
 * expire within a minute.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const key of FOREIGN_KEYS) await addForeignKey(db, key);
  // these indexes include the live world, because cascades search them without a condition
  await db.schema.dropIndex('events_of_ride').execute();
  await index(db, 'events_of_ride', 'events', ['world_id', 'ride_id', 'event_id']).execute();
  await db.schema.dropIndex('access_tokens_of_world').execute();
  await index(db, 'access_tokens_of_passenger', 'access_tokens', ['world_id', 'passenger_id']).execute();
  await db.schema.dropIndex('refresh_tokens_of_world').execute();
  await index(db, 'refresh_tokens_of_passenger', 'refresh_tokens', ['world_id', 'passenger_id']).execute();
  await db.schema.alterTable('rides').addColumn('cost_token_id', 'text').execute();
  await index(db, 'one_ride_per_cost_token', 'rides', ['world_id', 'cost_token_id'])
    .unique()
    .where(sql<boolean>`cost_token_id is not null`)
    .execute();
  await db.schema.dropTable('used_cost_tokens').execute();
}

async function addForeignKey(db: Kysely<unknown>, key: ForeignKey): Promise<void> {
  await deleteOrphans(db, key);
  const { table, columns, references, keys } = key;
  const clause = sql`foreign key (${names(columns)}) references ${sql.table(references)} (${names(keys)}) on delete cascade`;
  if (hasRowLocks(db)) await sql`alter table ${sql.table(table)} add ${clause}`.execute(db);
  else await rebuild(db, table, clause.compile(db).sql);
}

async function deleteOrphans(db: Kysely<unknown>, { table, columns, references, keys }: ForeignKey): Promise<void> {
  const pairs = columns.map((column, i) => sql`parent.${sql.ref(keys[i]!)} = child.${sql.ref(column)}`);
  const known = columns.map((column) => sql`child.${sql.ref(column)} is not null`);
  await sql`
    delete from ${sql.table(table)} as child where ${sql.join(known, sql` and `)}
    and not exists (select 1 from ${sql.table(references)} as parent where ${sql.join(pairs, sql` and `)})
  `.execute(db);
}

/** Adds a constraint to an SQLite table. SQLite accepts constraints only when it creates a table. */
async function rebuild(db: Kysely<unknown>, table: string, constraint: string): Promise<void> {
  const { rows } = await sql<{ type: string; sql: string }>`
    select type, sql from sqlite_master where tbl_name = ${table} and sql is not null
  `.execute(db);
  const created = rows.find(({ type }) => type === 'table')!.sql;
  const run = (text: string) => sql.raw(text).execute(db);
  await run(created.replace(/^create table "\w+"/i, `create table "rebuilt"`).replace(/\)$/, `, ${constraint})`));
  await run(`insert into "rebuilt" select * from "${table}"`);
  await db.schema.dropTable(table).execute();
  await run(`alter table "rebuilt" rename to "${table}"`);
  for (const { type, sql: text } of rows) if (type === 'index') await run(text);
}

function names(columns: readonly string[]) {
  return sql.join(columns.map((column) => sql.ref(column)));
}

function index(db: Kysely<unknown>, name: string, table: string, columns: string[]) {
  return db.schema.createIndex(name).on(table).columns(columns);
}
