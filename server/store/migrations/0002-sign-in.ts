import { type Kysely, sql } from 'kysely';
import { statements } from '../statements.ts';

/** The demo passengers' password hash from before sign-in existed: plain SHA-256. */
const PLAIN_HASH = 'xLvLH77JnWW_WdhcjLYu4tuWPw_hBvSD2a-nO9Tjmoo';
/** The same password in Argon2id, as in new databases. */
const ARGON2_HASH = '$argon2id$v=19$m=19456,t=2,p=1$vYbP9DW6gTUyO2lKeqZLfw$8RejYF/V9iSb8x+T7g57wQCWx7hl46DUoaJNHI1sqm8';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db);
  await sql`update passengers set password_hash = ${ARGON2_HASH} where password_hash = ${PLAIN_HASH}`.execute(db);
}

const createTables = statements(`
  create table sessions (
    token_hash text not null primary key, passenger_id text not null,
    signed_in_at bigint not null, expires_at bigint not null
  );
  create index sessions_by_expiry on sessions (expires_at);
  create table decisions (
    session_hash text not null, request_hash text not null, scopes text, decided_at bigint not null,
    constraint decisions_pkey primary key (session_hash, request_hash)
  );
`);
