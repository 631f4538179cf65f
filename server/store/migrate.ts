import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, type Migration, Migrator, type MigratorProps, sql } from 'kysely';
import { MIGRATIONS_FOLDER } from '../files.ts';
import { rowsOf } from './engine/changes.ts';
import { isLockTimeout, isUnavailable, isVictim } from './engine/errors.ts';
import type { Database } from './schema.ts';

/**
 * The names of the migrations, in order and append-only: one that may have run on some database must not change or
 * disappear. They are loaded only when a database needs one.
 */
const MIGRATIONS: ReadonlySet<string> = new Set(readdirSync(MIGRATIONS_FOLDER).map((file) => file.replace(/\..*/, '')));

/** Between the runs of a migration that lost against the transactions of an older server. */
const PAUSE_MS = 200;
/** Of a migration, for about half a minute. @beyond the server does not start, and the database stays as it was @heldBy tests/store/migrate.test.ts */
const MOST_RERUNS = 40;

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
    if (reruns === MOST_RERUNS || !(isVictim(error) || isLockTimeout(error))) throw error;
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
  const loaded = [...MIGRATIONS].map(async (name) => [name, await import(`./migrations/${name}.ts`)] as const);
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
export async function ranAt(db: Kysely<Database>, migration: string): Promise<number> {
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
  const unknown = run.filter((name) => !MIGRATIONS.has(name));
  if (unknown.length > 0) throw new Error(`A newer server has migrated the tables: ${unknown.join(', ')}`);
  const missing = [...MIGRATIONS].filter((name) => !run.includes(name));
  if (missing.length > 0)
    throw new Error(`The tables are older than this server. Missing migrations: ${missing.join(', ')}`);
}
