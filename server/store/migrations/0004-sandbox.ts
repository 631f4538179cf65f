import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const worlds = () => db.schema.alterTable('worlds');
  // JSON; null: the defaults
  await worlds().addColumn('settings', 'text').execute();
  await worlds().addColumn('beginning', 'text').execute();
  await worlds()
    .addColumn('resets', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('applications')
    .addColumn('worlds_made', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('deliveries')
    .addColumn('resend', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // finds the rows to delete with a world
  await index(db, 'events_of_ride', 'events', ['world_id', 'ride_id', 'event_id']);
  await index(db, 'access_tokens_of_world', 'access_tokens', ['world_id']);
  await index(db, 'refresh_tokens_of_world', 'refresh_tokens', ['world_id']);
}

async function index(db: Kysely<unknown>, name: string, table: string, columns: string[]): Promise<void> {
  // without the live world, which has far more rows and is never deleted
  await db.schema.createIndex(name).on(table).columns(columns).where(sql<boolean>`world_id <> 'live'`).execute();
}
