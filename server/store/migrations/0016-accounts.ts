import type { Kysely } from 'kysely';

/**
 * Passengers can see which applications they have allowed, and can delete their account. A departure is a passenger, or
 * a stand-in in a sandbox, who has left but whose rides are not processed yet. The indexes find the passenger's other
 * data. The application of a silent ride gets no further information about it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('consents')
    .addColumn('passenger_id', 'text', (column) => column.notNull())
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('first_allowed_at', 'bigint', (column) => column.notNull())
    .addColumn('last_allowed_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('consents_pkey', ['passenger_id', 'application_id'])
    .execute();
  await db.schema
    .createTable('departures')
    .addColumn('world_id', 'text', (column) => column.notNull())
    .addColumn('passenger_id', 'text', (column) => column.notNull())
    .addColumn('left_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('departures_pkey', ['world_id', 'passenger_id'])
    .execute();
  await db.schema
    .alterTable('rides')
    .addColumn('silent', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  const index = (name: string, table: string, column: string) =>
    db.schema.createIndex(name).on(table).column(column).execute();
  await index('codes_of_passenger', 'authorization_codes', 'passenger_id');
  await index('passengers_by_id', 'passengers', 'id');
}
