import { type Kysely, sql } from 'kysely';
import { hasRowLocks } from '../engine/dialect.ts';
import { statements } from '../statements.ts';

/**
 * Stores once what many access tokens share: whose access it is, to what, and which code or refresh token gave it. A
 * token's row had 480 to 560 bytes with its indexes, and has 150 to 290. `access_tokens` is a view of both tables.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // before any change, so that older servers' writes wait: a row that they added to a table being copied would be lost
  if (hasRowLocks(db)) await lockTables(db);
  await moveTokens(db);
  // SQLite has a single server, so no older one reads these tables
  if (hasRowLocks(db)) await serveOlderServers(db);
}

/** The tables that this migration and the next one copy or count, in the order in which servers lock their rows. */
const WRITTEN = 'worlds, passengers, access_tokens, rides, events, deliveries';

/**
 * Waits less than PostgreSQL does before it looks for a deadlock (1 second), so that this migration gives up and not a
 * call of an older server. `migrate` runs it again.
 */
async function lockTables(db: Kysely<unknown>): Promise<void> {
  await sql.raw("set local lock_timeout = '500ms'").execute(db);
  await sql.raw(`lock table ${WRITTEN} in access exclusive mode`).execute(db);
  await sql.raw('set local lock_timeout to default').execute(db);
}

const moveTokens = statements(`
  create table access_grants (
    id bigint not null primary key, digest text not null unique, application_id text not null, passenger_id text,
    world_id text not null, scopes text not null, refresh_token_hash text, code_hash text, expires_at bigint not null,
    revoked_at bigint,
    foreign key (world_id, passenger_id) references passengers (world_id, id) on delete cascade
  );
  create table issued_tokens (
    token_hash text not null primary key, grant_id bigint not null references access_grants (id) on delete cascade,
    issued_at bigint not null, expires_at bigint not null, revoked_at bigint
  );
  create table numbered_tokens as select *, dense_rank() over (
    order by application_id, passenger_id, world_id, scopes, refresh_token_hash, code_hash
  ) as grant_id from access_tokens;
  insert into access_grants
    select grant_id, min(token_hash), application_id, passenger_id, world_id, scopes, refresh_token_hash, code_hash,
      max(expires_at), null
    from numbered_tokens
    group by grant_id, application_id, passenger_id, world_id, scopes, refresh_token_hash, code_hash;
  insert into issued_tokens select token_hash, grant_id, issued_at, expires_at, revoked_at from numbered_tokens;
  drop table numbered_tokens;
  drop table access_tokens;
  create index access_grants_of_passenger on access_grants (world_id, passenger_id);
  create index access_grants_of_application on access_grants (application_id) where application_id > '';
  create index access_grants_by_refresh_token on access_grants (refresh_token_hash) where refresh_token_hash > '';
  create index access_grants_by_code on access_grants (code_hash) where code_hash > '';
  create index access_grants_by_expiry on access_grants (expires_at);
  create index issued_tokens_by_expiry on issued_tokens (expires_at);
  create index issued_tokens_of_grant on issued_tokens (grant_id, expires_at);
  create view access_tokens as
    select issued.token_hash, shared.application_id, shared.passenger_id, shared.world_id, shared.scopes,
      issued.issued_at, issued.expires_at, shared.refresh_token_hash, shared.code_hash,
      coalesce(issued.revoked_at, shared.revoked_at) as revoked_at, issued.grant_id
    from issued_tokens as issued join access_grants as shared on shared.id = issued.grant_id;
`);

/** During a rolling upgrade, servers of the previous version write to the view as if it were their table. */
async function serveOlderServers(db: Kysely<unknown>): Promise<void> {
  // one statement, because its text has semicolons
  await sql
    .raw(`
    create function write_access_token() returns trigger language plpgsql set search_path from current as $$ begin
      if tg_op = 'DELETE' then
        delete from issued_tokens where token_hash = old.token_hash;
        return old;
      elsif tg_op = 'UPDATE' then
        update issued_tokens set revoked_at = new.revoked_at where token_hash = old.token_hash;
      else
        insert into access_grants values (number_of(new.token_hash), new.token_hash, new.application_id,
          new.passenger_id, new.world_id, new.scopes, new.refresh_token_hash, new.code_hash, new.expires_at, null);
        insert into issued_tokens values (new.token_hash, number_of(new.token_hash), new.issued_at, new.expires_at,
          null);
      end if;
      return new;
    end $$`)
    .execute(db);
  await statements(`
    create function number_of(token_hash text) returns bigint language sql
      return cast(cast('x' || substr(md5(token_hash), 1, 13) as bit(52)) as bigint);
    create trigger write_access_token instead of insert or update or delete on access_tokens
      for each row execute function write_access_token()
  `)(db);
}
