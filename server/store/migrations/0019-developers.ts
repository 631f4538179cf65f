import { type Kysely, sql } from 'kysely';
import { statements } from '../statements.ts';

/**
 * Developers own applications and sign in as passengers do, with separate sessions and devices. The columns that name
 * the account therefore get the same name everywhere. An application has several redirect URIs, a sandbox webhook URL,
 * and secrets that overlap for a while when rotated. Its log records who changed what. A deleted application leaves a
 * row until the sweep has deleted its data.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await changeTables(db);
  const { rows } = await sql<{ id: string; redirect_uri: string }>`select id, redirect_uri from applications`.execute(
    db,
  );
  for (const { id, redirect_uri } of rows) {
    // until now, sandboxes sent to the live URL too
    await sql`
      update applications set redirect_uris = ${JSON.stringify([redirect_uri])}, sandbox_webhook_url = webhook_url,
        live_secret_made_at = created_at, sandbox_secret_made_at = created_at
      where id = ${id}
    `.execute(db);
  }
  await statements('alter table applications drop column redirect_uri')(db);
}

const changeTables = statements(`
  create table developers (
    id text not null primary key, email text not null unique, password_hash text not null, created_at bigint not null
  );
  alter table sessions rename column passenger_id to account_id;
  alter table devices rename column passenger_id to account_id;
  create table developer_sessions (
    token_hash text not null primary key, account_id text not null,
    signed_in_at bigint not null, expires_at bigint not null
  );
  create index developer_sessions_of_account on developer_sessions (account_id, signed_in_at, token_hash);
  create index developer_sessions_by_expiry on developer_sessions (expires_at);
  create table developer_devices (
    token_hash text not null primary key, account_id text not null,
    signed_in_at bigint not null, expires_at bigint not null
  );
  create index developer_devices_of_account on developer_devices (account_id, signed_in_at, token_hash);
  create index developer_devices_by_expiry on developer_devices (expires_at);
  create table developer_links (
    token_hash text not null primary key, email text not null, developer_id text, expires_at bigint not null
  );
  create index developer_links_of_email on developer_links (email);
  create index developer_links_by_expiry on developer_links (expires_at);

  alter table applications add column developer_id text;
  alter table applications add column sandbox_webhook_url text;
  alter table applications add column previous_live_secret_hash text;
  alter table applications add column previous_sandbox_secret_hash text;
  alter table applications add column previous_live_secret_ends_at bigint;
  alter table applications add column previous_sandbox_secret_ends_at bigint;
  alter table applications add column live_secret_made_at bigint default 0 not null;
  alter table applications add column sandbox_secret_made_at bigint default 0 not null;
  alter table applications add column redirect_uris text default '[]' not null;
  create index applications_of_developer on applications (developer_id, created_at, id);

  create table application_log (
    application_id text not null, number integer not null, at bigint not null, developer_id text, network text,
    action text not null, detail text,
    constraint application_log_pkey primary key (application_id, number)
  );
  create table deleted_applications (id text not null primary key, deleted_at bigint not null);
`);
