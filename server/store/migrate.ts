import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, type Migration, Migrator, type MigratorProps, sql } from 'kysely';
import { rowsOf } from './engine/changes.ts';
import { isUnavailable, isVictim } from './engine/errors.ts';
import type { Database } from './schema.ts';
import { MOST_RERUNS } from './transaction.ts';

/**
 * In order and append-only: a migration that may have run on some database must not change or disappear. Loaded only when
 * a database needs one.
 */
const MIGRATIONS = {
  '0001-first-tables': () => import('./migrations/0001-first-tables.ts'),
  '0002-sign-in': () => import('./migrations/0002-sign-in.ts'),
  '0003-webhooks': () => import('./migrations/0003-webhooks.ts'),
  '0004-sandbox': () => import('./migrations/0004-sandbox.ts'),
  '0005-rides-of-driver': () => import('./migrations/0005-rides-of-driver.ts'),
  '0006-cascades': () => import('./migrations/0006-cascades.ts'),
  '0007-cancelers': () => import('./migrations/0007-cancelers.ts'),
  '0008-advances': () => import('./migrations/0008-advances.ts'),
  '0009-lines': () => import('./migrations/0009-lines.ts'),
  '0010-calls-of-worlds': () => import('./migrations/0010-calls-of-worlds.ts'),
  '0011-due-timers': () => import('./migrations/0011-due-timers.ts'),
  '0012-attempts': () => import('./migrations/0012-attempts.ts'),
  '0013-stand-ins': () => import('./migrations/0013-stand-ins.ts'),
  '0014-devices': () => import('./migrations/0014-devices.ts'),
  '0015-refresh-tokens': () => import('./migrations/0015-refresh-tokens.ts'),
  '0016-accounts': () => import('./migrations/0016-accounts.ts'),
  '0017-phone-codes': () => import('./migrations/0017-phone-codes.ts'),
  '0018-retention': () => import('./migrations/0018-retention.ts'),
  '0019-developers': () => import('./migrations/0019-developers.ts'),
  '0020-application-ends': () => import('./migrations/0020-application-ends.ts'),
  '0021-failing-webhooks': () => import('./migrations/0021-failing-webhooks.ts'),
  '0022-one-link': () => import('./migrations/0022-one-link.ts'),
  '0023-offers': () => import('./migrations/0023-offers.ts'),
  '0024-access-grants': () => import('./migrations/0024-access-grants.ts'),
  '0025-usage': () => import('./migrations/0025-usage.ts'),
  '0026-forgotten-offers': () => import('./migrations/0026-forgotten-offers.ts'),
};

/** Between the runs of a migration that lost against the transactions of an older server. */
const PAUSE_MS = 200;

/**
 * Migrates a database, all or nothing, one process at a time. Throws when a migration fails, or when the database has
 * run one that this server does not know.
 * @param schema the PostgreSQL schema that contains the tables; created if absent
 */
export async function migrate(db: Kysely<Database>, schema?: string): Promise<void> {
  // the usual start, which then takes no lock
  if (await isMigrated(db)) return;
  const migrator = migratorOf(db, schema);
  for (let reruns = 0; ; reruns++) {
    const { error } = await migrator.migrateToLatest();
    if (error === undefined) return;
    // during a rolling upgrade, the server of the previous version may lock the same tables in another order
    if (reruns === MOST_RERUNS || !isVictim(error)) throw error;
    await sleep(PAUSE_MS);
  }
}

/**
 * Throws an Error for an operator, in one line, unless the database has run exactly the migrations that this server
 * knows. Changes nothing.
 */
export async function assertCurrent(db: Kysely<Database>, schema?: string): Promise<void> {
  if (await isMigrated(db)) return;
  const migrations = await migratorOf(db, schema).getMigrations();
  const missing = migrations.filter(({ executedAt }) => executedAt === undefined).length;
  if (missing > 0) {
    const count = `${missing} ${missing === 1 ? 'migration' : 'migrations'}`;
    throw new Error(`The database needs ${count}, and this command only reads it. Start a server on it first.`);
  }
  await assertMigrated(db);
}

/**
 * Creates the tables in a PostgreSQL schema that has none, in the open transaction of a connection. The caller commits.
 */
export async function createTables(connection: Kysely<Database>, schema: string): Promise<void> {
  const { error } = await migratorOf(connection, schema, { disableTransactions: true }).migrateToLatest();
  if (error !== undefined) throw error;
}

function migratorOf(db: Kysely<Database>, schema: string | undefined, options: Partial<MigratorProps> = {}): Migrator {
  return new Migrator({
    db: db.withoutPlugins(),
    provider: { getMigrations },
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
    ...options,
  });
}

async function getMigrations(): Promise<Record<string, Migration>> {
  const loaded = Object.entries(MIGRATIONS).map(async ([name, load]) => [name, await load()] as const);
  return Object.fromEntries(await Promise.all(loaded));
}

async function isMigrated(db: Kysely<Database>): Promise<boolean> {
  try {
    await assertMigrated(db);
    return true;
  } catch (error) {
    // the migrator would wait for the database once more
    if (isUnavailable(error)) throw error;
    // there are no tables yet, or the migrator reports what is wrong
    return false;
  }
}

/** When a database ran a migration, in real milliseconds UTC. A rule that began with it can spare what is older. */
export async function ranAt(db: Kysely<Database>, migration: keyof typeof MIGRATIONS): Promise<number> {
  const rows = await rowsOf(
    db,
    sql<{ timestamp: string }>`select timestamp from kysely_migration where name = ${migration}`,
  );
  return Date.parse(rows[0]!.timestamp);
}

/** Throws unless the database has run exactly the migrations that this server knows. */
export async function assertMigrated(db: Kysely<Database>): Promise<void> {
  const run = await rowsOf(db, sql<{ name: string }>`select name from kysely_migration`);
  assertMigratedBy(run.map(({ name }) => name));
}

/** The same, given the names of the migrations. */
export function assertMigratedBy(run: readonly string[]): void {
  const unknown = run.filter((name) => !(name in MIGRATIONS));
  if (unknown.length > 0) throw new Error(`A newer server has migrated the tables: ${unknown.join(', ')}`);
  const missing = Object.keys(MIGRATIONS).filter((name) => !run.includes(name));
  if (missing.length > 0)
    throw new Error(`The tables are older than this server. Missing migrations: ${missing.join(', ')}`);
}
