import type { Kysely } from 'kysely';

/** What was stored of the demo passengers' password while nobody could sign in with it: a plain SHA-256. */
const PLAIN_HASH = 'xLvLH77JnWW_WdhcjLYu4tuWPw_hBvSD2a-nO9Tjmoo';
/** The same password by Argon2id, as new databases have it. */
const ARGON2_HASH = '$argon2id$v=19$m=19456,t=2,p=1$vYbP9DW6gTUyO2lKeqZLfw$8RejYF/V9iSb8x+T7g57wQCWx7hl46DUoaJNHI1sqm8';

export async function up(db: Kysely<PassengerPasswords>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('passenger_id', 'text', (column) => column.notNull())
    .addColumn('signed_in_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sessions_by_expiry').on('sessions').column('expires_at').execute();
  await db.schema
    .createTable('decisions')
    .addColumn('session_hash', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text')
    .addColumn('decided_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('decisions_pkey', ['session_hash', 'request_hash'])
    .execute();
  await db
    .updateTable('passengers')
    .set({ password_hash: ARGON2_HASH })
    .where('password_hash', '=', PLAIN_HASH)
    .execute();
}

/** As far as this migration looks: it knows the database as it was, not as the schema of today has it. */
interface PassengerPasswords {
  passengers: { password_hash: string };
}
