import { type Kysely, sql } from 'kysely';

/** The column types work on both engines: SQLite reads `bigint` as an integer, and PostgreSQL needs all eight bytes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAccounts(db);
  await createTokens(db);
  await createRides(db);
  await createTimers(db);
}

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('applications')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('redirect_uri', 'text', (column) => column.notNull())
    .addColumn('live_secret_hash', 'text', (column) => column.notNull())
    .addColumn('sandbox_secret_hash', 'text', (column) => column.notNull())
    .addColumn('webhook_url', 'text')
    .addColumn('verification_token', 'text', (column) => column.notNull())
    .addColumn('sandbox_world_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('worlds')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('application_id', 'text')
    .addColumn('seed', 'text', (column) => column.notNull())
    .addColumn('clock_real_anchor', 'bigint', (column) => column.notNull())
    .addColumn('clock_world_anchor', 'bigint', (column) => column.notNull())
    .addColumn('clock_running', 'integer', (column) => column.notNull())
    .addColumn('auto_advance', 'integer', (column) => column.notNull())
    .addColumn('id_counter', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('passengers')
    .addColumn('world_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('first_name', 'text', (column) => column.notNull())
    .addColumn('last_name', 'text', (column) => column.notNull())
    .addColumn('image_url', 'text')
    .addColumn('rating', 'text')
    .addColumn('phone_number', 'text')
    .addColumn('phone_verified', 'integer', (column) => column.notNull())
    .addColumn('payment_method', 'text')
    .addColumn('account_disabled', 'integer', (column) => column.notNull())
    .addColumn('driver_mode', 'integer', (column) => column.notNull())
    .addColumn('business_profile', 'integer', (column) => column.notNull())
    .addColumn('has_taken_a_ride', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('passengers_pkey', ['world_id', 'id'])
    .execute();
  await unique(db, 'one_passenger_per_email', 'passengers', ['world_id', 'email']).execute();
  await db.schema
    .createTable('secrets')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
}

async function createTokens(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('access_tokens')
    .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('passenger_id', 'text')
    .addColumn('world_id', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('issued_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('refresh_token_hash', 'text')
    .addColumn('code_hash', 'text')
    .addColumn('revoked_at', 'bigint')
    .execute();
  await index(db, 'access_tokens_by_refresh_token', 'access_tokens', ['refresh_token_hash']).execute();
  await index(db, 'access_tokens_by_code', 'access_tokens', ['code_hash']).execute();
  await index(db, 'access_tokens_by_expiry', 'access_tokens', ['expires_at']).execute();
  await db.schema
    .createTable('refresh_tokens')
    .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('passenger_id', 'text', (column) => column.notNull())
    .addColumn('world_id', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('code_hash', 'text')
    .addColumn('issued_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .execute();
  await index(db, 'refresh_tokens_by_code', 'refresh_tokens', ['code_hash']).execute();
  await db.schema
    .createTable('authorization_codes')
    .addColumn('code_hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('passenger_id', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('redirect_uri', 'text')
    .addColumn('code_challenge', 'text')
    .addColumn('issued_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    .execute();
  await index(db, 'authorization_codes_by_expiry', 'authorization_codes', ['expires_at']).execute();
}

async function createRides(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rides')
    .addColumn('world_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('application_id', 'text', (column) => column.notNull())
    .addColumn('passenger_id', 'text', (column) => column.notNull())
    .addColumn('driver_id', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('active', 'integer', (column) => column.notNull())
    .addColumn('ride_type', 'text', (column) => column.notNull())
    .addColumn('requested_at', 'bigint', (column) => column.notNull())
    .addColumn('finished_at', 'bigint')
    .addColumn('document', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('rides_pkey', ['world_id', 'id'])
    .execute();
  const active = sql<boolean>`active = 1`;
  await unique(db, 'one_active_ride', 'rides', ['world_id', 'passenger_id']).where(active).execute();
  await unique(db, 'one_ride_per_driver', 'rides', ['world_id', 'driver_id'])
    .where(sql<boolean>`active = 1 and driver_id is not null`)
    .execute();
  await index(db, 'rides_of_passenger', 'rides', ['world_id', 'passenger_id', 'requested_at']).execute();
  await index(db, 'rides_by_finish', 'rides', ['world_id', 'finished_at']).execute();
  await db.schema
    .createTable('used_cost_tokens')
    .addColumn('world_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('used_cost_tokens_pkey', ['world_id', 'id'])
    .execute();
}

async function createTimers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('timers')
    .addColumn('world_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('real_due_at', 'bigint')
    .addColumn('lease_until', 'bigint')
    .addPrimaryKeyConstraint('timers_pkey', ['world_id', 'kind', 'subject_id'])
    .execute();
  await index(db, 'timers_by_real_due', 'timers', ['real_due_at']).execute();
  await index(db, 'timers_by_due', 'timers', ['world_id', 'due_at']).execute();
  await index(db, 'timers_leased', 'timers', ['lease_until']).where(sql<boolean>`lease_until is not null`).execute();
}

function index(db: Kysely<unknown>, name: string, table: string, columns: string[]) {
  return db.schema.createIndex(name).on(table).columns(columns);
}

function unique(db: Kysely<unknown>, name: string, table: string, columns: string[]) {
  return index(db, name, table, columns).unique();
}
