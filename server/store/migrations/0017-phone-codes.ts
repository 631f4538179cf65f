import type { Kysely } from 'kysely';

/** The last code sent to a passenger to verify a phone number. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('phone_codes')
    .addColumn('world_id', 'text', (column) => column.notNull())
    .addColumn('passenger_id', 'text', (column) => column.notNull())
    .addColumn('phone_number', 'text', (column) => column.notNull())
    .addColumn('code_hash', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('phone_codes_pkey', ['world_id', 'passenger_id'])
    .addForeignKeyConstraint(
      'phone_codes_passenger',
      ['world_id', 'passenger_id'],
      'passengers',
      ['world_id', 'id'],
      (key) => key.onDelete('cascade'),
    )
    .execute();
  await db.schema.createIndex('phone_codes_by_expiry').on('phone_codes').column('expires_at').execute();
}
