import { type Kysely, sql } from 'kysely';
import { hasRowLocks } from '../engine/dialect.ts';
import { statements } from '../statements.ts';

interface Counted {
  readonly table: string;
  readonly world: string;
  /** The column of world_usage that counts the rows; null: only their bytes count. */
  readonly as: 'passengers' | 'rides' | 'events' | null;
  /** The bytes of a row, with its indexes and rows that belong to it. */
  readonly bytes: (row: string) => string;
  /** The columns whose changes change the bytes. */
  readonly changing?: string;
}

const attempts = (row: string) => `${row}.attempts + ${row}.earlier_attempts`;

const COUNTED: readonly Counted[] = [
  {
    table: 'worlds',
    world: 'id',
    as: null,
    bytes: (row) => `1000 + octet_length(coalesce(${row}.settings, ''))`,
    changing: 'settings',
  },
  { table: 'passengers', world: 'world_id', as: 'passengers', bytes: () => '700' },
  {
    ...{ table: 'rides', world: 'world_id', as: 'rides', changing: 'document' },
    bytes: (row) => `600 + octet_length(${row}.document)`,
  },
  { table: 'events', world: 'world_id', as: 'events', bytes: (row) => `1100 + octet_length(${row}.body)` },
  {
    ...{ table: 'deliveries', world: 'world_id', as: null, changing: 'attempts, earlier_attempts' },
    // the latest 20 attempts are stored, with at most 1,000 bytes of the response
    bytes: (row) => `1300 * (case when ${attempts(row)} < 20 then ${attempts(row)} else 20 end)`,
  },
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
  const rows = COUNTED.map(({ table, world, as, bytes }) => {
    const counts = ['passengers', 'rides', 'events'].map((column) => `${as === column ? 1 : 0} as ${column}`);
    return `select ${world} as world_id, ${counts}, ${bytes(table)} as bytes from ${table} where ${world} <> 'live'`;
  });
  await sql
    .raw(`
    insert into world_usage select world_id, sum(passengers), sum(rides), sum(events), sum(bytes)
    from (${rows.join(' union all ')}) as stored group by world_id`)
    .execute(db);
  for (const counted of COUNTED) {
    const triggers = (hasRowLocks(db) ? triggersOfPostgres : triggersOfSqlite)(counted);
    for (const trigger of triggers) await sql.raw(trigger).execute(db);
  }
}

function triggersOfSqlite(counted: Counted): readonly string[] {
  const { table, world, changing } = counted;
  const on = (event: string, row: 'old' | 'new', work: string) =>
    `create trigger ${table}_usage_${event.slice(0, 6)} after ${event} on ${table}
      when ${row}.${world} <> 'live' begin ${work}; end`;
  return [
    on('insert', 'new', insertion(counted)),
    ...(changing ? [on(`update of ${changing}`, 'new', change(counted))] : []),
    on(
      'delete',
      'old',
      table === 'worlds' ? 'delete from world_usage where world_id = old.id' : deletion(counted, 'old'),
    ),
  ];
}

/** A deletion counts once for a statement, because each update of a row leaves a version of it until the commit. */
function triggersOfPostgres(counted: Counted): readonly string[] {
  const { table, world, as, bytes, changing } = counted;
  const gone = `select ${world} as world_id, count(*) as rows, sum(${bytes('deleted')}) as bytes from deleted
    where ${world} <> 'live' group by ${world}`;
  const counting = as === null ? '' : `${as} = world_usage.${as} - gone.rows, `;
  const end =
    table === 'worlds'
      ? 'delete from world_usage where world_id in (select id from deleted)'
      : `update world_usage set ${counting}bytes = world_usage.bytes - gone.bytes from (${gone}) as gone
          where world_usage.world_id = gone.world_id`;
  return [
    // the path of the migration, so that a client with another one can change rows too
    `create function count_${table}() returns trigger language plpgsql set search_path from current as $$ begin
      if tg_op = 'DELETE' then ${end};
      ${changing ? `elsif tg_op = 'UPDATE' then ${change(counted)};` : ''}
      else ${insertion(counted)};
      end if;
      return null;
    end $$`,
    `create trigger ${table}_usage after insert${changing ? ` or update of ${changing}` : ''} on ${table}
      for each row when (new.${world} <> 'live') execute function count_${table}()`,
    `create trigger ${table}_usage_delete after delete on ${table}
      referencing old table as deleted for each statement execute function count_${table}()`,
  ];
}

function insertion({ world, as, bytes }: Counted): string {
  const [column, one, more] = as === null ? ['', '', ''] : [`${as}, `, '1, ', `${as} = world_usage.${as} + 1, `];
  return `insert into world_usage (world_id, ${column}bytes) values (new.${world}, ${one}${bytes('new')})
    on conflict (world_id) do update set ${more}bytes = world_usage.bytes + excluded.bytes`;
}

function change({ world, bytes }: Counted): string {
  return `update world_usage set bytes = bytes + ${bytes('new')} - (${bytes('old')}) where world_id = new.${world}`;
}

function deletion({ world, as, bytes }: Counted, row: 'old'): string {
  const counting = as === null ? '' : `${as} = ${as} - 1, `;
  return `update world_usage set ${counting}bytes = bytes - (${bytes(row)}) where world_id = ${row}.${world}`;
}
