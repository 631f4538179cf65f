import { type Kysely, sql } from 'kysely';
import { hasRowLocks } from '../engine/dialect.ts';
import { statements } from '../statements.ts';

interface ForeignKey {
  readonly table: string;
  /** The last one may be null. */
  readonly columns: readonly string[];
  readonly parent: string;
  readonly keys: readonly string[];
}

const OF_RIDE = { columns: ['world_id', 'ride_id'], parent: 'rides', keys: ['world_id', 'id'] };
const OF_EVENT = { columns: ['event_id'], parent: 'events', keys: ['event_id'] };
const OF_PASSENGER = { columns: ['world_id', 'passenger_id'], parent: 'passengers', keys: ['world_id', 'id'] };

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
  await changeTables(db);
}

/** The new indexes include the live world, because cascades search them without a condition. */
const changeTables = statements(`
  drop index events_of_ride;
  create index events_of_ride on events (world_id, ride_id, event_id);
  drop index access_tokens_of_world;
  create index access_tokens_of_passenger on access_tokens (world_id, passenger_id);
  drop index refresh_tokens_of_world;
  create index refresh_tokens_of_passenger on refresh_tokens (world_id, passenger_id);
  alter table rides add column cost_token_id text;
  create unique index one_ride_per_cost_token on rides (world_id, cost_token_id) where cost_token_id is not null;
  drop table used_cost_tokens;
`);

async function addForeignKey(db: Kysely<unknown>, { table, columns, parent, keys }: ForeignKey): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db);
  const isParent = columns.map((column, i) => `parent.${keys[i]} = child.${column}`).join(' and ');
  await run(`
    delete from ${table} as child where ${columns.at(-1)} is not null
    and not exists (select 1 from ${parent} as parent where ${isParent})
  `);
  const constraint = `foreign key (${columns}) references ${parent} (${keys}) on delete cascade`;
  if (hasRowLocks(db)) return void (await run(`alter table ${table} add ${constraint}`));
  // SQLite accepts constraints only when it creates a table
  const { rows } = await sql<{ type: string; sql: string }>`
    select type, sql from sqlite_master where tbl_name = ${table} and sql is not null
  `.execute(db);
  const created = rows.find(({ type }) => type === 'table')!.sql;
  await run(created.replace(/^create table "?\w+"?/i, 'create table rebuilt').replace(/\)$/, `, ${constraint})`));
  await run(`insert into rebuilt select * from ${table}`);
  await run(`drop table ${table}`);
  await run(`alter table rebuilt rename to ${table}`);
  for (const { type, sql: text } of rows) if (type === 'index') await run(text);
}
