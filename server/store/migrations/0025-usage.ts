import { type Kysely, sql } from 'kysely';
import { own } from '../../domain/own.ts';
import { hasRowLocks } from '../engine/dialect.ts';
import { statements } from '../statements.ts';

interface Counted {
  readonly table: string;
  readonly world: string;
  /** What a row adds to columns of world_usage. The bytes include its indexes and rows that belong to it. */
  readonly adds: { readonly bytes: string } & Readonly<Record<string, string>>;
  /** The columns whose changes change the bytes. */
  readonly changing?: string;
}

const ATTEMPTS = 'row.attempts + row.earlier_attempts';
// the latest 20 attempts are stored, with at most 1,000 bytes of the response
const ATTEMPTS_BYTES = `1300 * (case when ${ATTEMPTS} < 20 then ${ATTEMPTS} else 20 end)`;
const WORLD_BYTES = "1000 + octet_length(coalesce(row.settings, ''))";
const RIDE_ADDS = { rides: '1', bytes: '600 + octet_length(row.document)' };

const COUNTED: readonly Counted[] = [
  { table: 'worlds', world: 'id', adds: { bytes: WORLD_BYTES }, changing: 'settings' },
  { table: 'passengers', world: 'world_id', adds: { passengers: '1', bytes: '700' } },
  { table: 'rides', world: 'world_id', adds: RIDE_ADDS, changing: 'document' },
  { table: 'events', world: 'world_id', adds: { events: '1', bytes: '1100 + octet_length(row.body)' } },
  { table: 'deliveries', world: 'world_id', adds: { bytes: ATTEMPTS_BYTES }, changing: 'attempts, earlier_attempts' },
];

/**
 * Counts what each sandbox contains, in triggers: so every statement counts, also a cascade, and also one of an older
 * server. Records when each passenger of a sandbox was last used; existing ones count as used now.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await statements(`
    create table world_usage (
      world_id text not null primary key, passengers bigint default 0 not null, rides bigint default 0 not null,
      events bigint default 0 not null, bytes bigint default 0 not null
    );
    alter table passengers add column last_used_at bigint default 0 not null;
    create index passengers_by_use on passengers (last_used_at) where world_id <> 'live'
  `)(db);
  await sql`update passengers set last_used_at = ${Date.now()} where world_id <> 'live'`.execute(db);
  for (const counted of COUNTED) await count(db, counted);
}

async function count(db: Kysely<unknown>, { table, world, adds, changing }: Counted): Promise<void> {
  const columns = Object.keys(adds);
  const valueIn = (row: string) => (column: string) => own(adds, column)!.replaceAll('row.', `${row}.`);
  const sumsOf = (rows: string) => `
    select ${world} as world_id, ${columns.map((column) => `sum(${valueIn(rows)(column)}) as ${column}`)}
    from ${rows} where ${world} <> 'live' group by ${world}`;
  const set = (sign: '+' | '-', value: (column: string) => string) =>
    columns.map((column) => `${column} = world_usage.${column} ${sign} (${value(column)})`);
  const add = (rows: string) => `insert into world_usage (world_id, ${columns}) ${rows}
    on conflict (world_id) do update set ${set('+', (column) => `excluded.${column}`)}`;
  const on = async (event: string, each: string, work: string) => {
    const name = `${table}_usage_${event.slice(0, 6)}`;
    // the path of the migration, so that a client with another one can change rows too
    const asFunction = `create function ${name}() returns trigger language plpgsql set search_path from current
      as $$ begin ${work}; return null; end $$`;
    if (hasRowLocks(db)) await sql.raw(asFunction).execute(db);
    const body = hasRowLocks(db) ? `execute function ${name}()` : `begin ${work}; end`;
    await sql.raw(`create trigger ${name} after ${event} on ${table} ${each} ${body}`).execute(db);
  };
  const eachOf = (row: string) => `for each row when (${row}.${world} <> 'live')`;

  await sql.raw(add(sumsOf(table))).execute(db);
  await on('insert', eachOf('new'), add(`values (new.${world}, ${columns.map(valueIn('new'))})`));
  if (changing) {
    const change = `bytes = bytes + ${valueIn('new')('bytes')} - (${valueIn('old')('bytes')})`;
    await on(`update of ${changing}`, eachOf('new'), `update world_usage set ${change} where world_id = new.${world}`);
  }
  if (table === 'worlds') await on('delete', eachOf('old'), 'delete from world_usage where world_id = old.id');
  // once for a statement, because each update of a row leaves a version of it until the commit
  else if (hasRowLocks(db)) {
    const gone = set('-', (column) => `gone.${column}`);
    const work = `update world_usage set ${gone} from (${sumsOf('deleted')}) as gone
      where world_usage.world_id = gone.world_id`;
    await on('delete', 'referencing old table as deleted for each statement', work);
  } else {
    const work = `update world_usage set ${set('-', valueIn('old'))} where world_id = old.${world}`;
    await on('delete', eachOf('old'), work);
  }
}
