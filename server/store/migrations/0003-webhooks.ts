import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('applications').addColumn('previous_verification_token', 'text').execute();
  await db.schema.alterTable('applications').addColumn('verification_token_changed_at', 'bigint').execute();
  await createEvents(db);
  await createDeliveries(db);
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('events')
    .addColumn('event_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('world_id', 'text', (column) => column.notNull())
    .addColumn('ride_id', 'text', (column) => column.notNull())
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('occurred_at', 'bigint', (column) => column.notNull())
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await index(db, 'events_of_application', 'events', ['application_id', 'created_at', 'event_id']).execute();
  await index(db, 'events_by_age', 'events', ['created_at']).execute();
  await db.schema
    .createTable('attempts')
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('duration_ms', 'bigint', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('answer', 'text')
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('attempts_pkey', ['event_id', 'number'])
    .execute();
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('event_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('world_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('earlier_attempts', 'integer', (column) => column.notNull())
    .addColumn('schedule_anchor', 'bigint')
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('real_due_at', 'bigint')
    .addColumn('last_ended_at', 'bigint')
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint')
    .execute();
  await index(db, 'deliveries_due', 'deliveries', ['application_id', 'real_due_at'])
    .where(sql<boolean>`status = 'pending' and real_due_at is not null`)
    .execute();
  await index(db, 'deliveries_of_world', 'deliveries', ['world_id', 'due_at', 'event_id'])
    .where(sql<boolean>`status = 'pending'`)
    .execute();
  await index(db, 'deliveries_leased', 'deliveries', ['lease_owner'])
    .where(sql<boolean>`lease_owner is not null`)
    .execute();
}

function index(db: Kysely<unknown>, name: string, table: string, columns: string[]) {
  return db.schema.createIndex(name).on(table).columns(columns);
}
