import type { Kysely } from 'kysely';

/** Adds the browsers that passengers signed in with, and an index to end all sessions of a passenger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('devices')
    .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('passenger_id', 'text', (column) => column.notNull())
    .addColumn('signed_in_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('devices_of_passenger')
    .on('devices')
    .columns(['passenger_id', 'signed_in_at', 'token_hash'])
    .execute();
  await db.schema.createIndex('devices_by_expiry').on('devices').column('expires_at').execute();
  await db.schema.createIndex('sessions_of_passenger').on('sessions').column('passenger_id').execute();
}
