import type { Kysely } from 'kysely';

/** The demo passengers' password hash from before sign-in existed: plain SHA-256. */
const PLAIN_HASH = 'xLvLH77JnWW_WdhcjLYu4tuWPw_hBvSD2a-nO9Tjmoo';
/** The same password in Argon2id, as in new databases. */
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

/** Only the column that this migration uses, as it was then: today's schema may differ. */
interface PassengerPasswords {
  passengers: { password_hash: string };
}
