import { type Kysely, Migrator, type MigratorProps, sql } from 'kysely';
import { rowsOf } from './engine/changes.ts';
import { isUnavailable, isVictim } from './engine/errors.ts';
import * as firstTables from './migrations/0001-first-tables.ts';
import * as signIn from './migrations/0002-sign-in.ts';
import * as webhooks from './migrations/0003-webhooks.ts';
import * as sandbox from './migrations/0004-sandbox.ts';
import * as ridesOfDriver from './migrations/0005-rides-of-driver.ts';
import * as cascades from './migrations/0006-cascades.ts';
import * as cancelers from './migrations/0007-cancelers.ts';
import * as advances from './migrations/0008-advances.ts';
import * as lines from './migrations/0009-lines.ts';
import * as callsOfWorlds from './migrations/0010-calls-of-worlds.ts';
import * as dueTimers from './migrations/0011-due-timers.ts';
import * as attempts from './migrations/0012-attempts.ts';
import * as standIns from './migrations/0013-stand-ins.ts';
import * as devices from './migrations/0014-devices.ts';
import * as refreshTokens from './migrations/0015-refresh-tokens.ts';
import * as accounts from './migrations/0016-accounts.ts';
import * as phoneCodes from './migrations/0017-phone-codes.ts';
import * as retention from './migrations/0018-retention.ts';
import * as developers from './migrations/0019-developers.ts';
import * as applicationEnds from './migrations/0020-application-ends.ts';
import * as failingWebhooks from './migrations/0021-failing-webhooks.ts';
import * as oneLink from './migrations/0022-one-link.ts';
import type { Database } from './schema.ts';
import { MOST_RERUNS } from './transaction.ts';

/** In order and append-only: a migration that may have run on some database must not change or disappear. */
const MIGRATIONS = {
  '0001-first-tables': firstTables,
  '0002-sign-in': signIn,
  '0003-webhooks': webhooks,
  '0004-sandbox': sandbox,
  '0005-rides-of-driver': ridesOfDriver,
  '0006-cascades': cascades,
  '0007-cancelers': cancelers,
  '0008-advances': advances,
  '0009-lines': lines,
  '0010-calls-of-worlds': callsOfWorlds,
  '0011-due-timers': dueTimers,
  '0012-attempts': attempts,
  '0013-stand-ins': standIns,
  '0014-devices': devices,
  '0015-refresh-tokens': refreshTokens,
  '0016-accounts': accounts,
  '0017-phone-codes': phoneCodes,
  '0018-retention': retention,
  '0019-developers': developers,
  '0020-application-ends': applicationEnds,
  '0021-failing-webhooks': failingWebhooks,
  '0022-one-link': oneLink,
};

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
    provider: { getMigrations: async () => MIGRATIONS },
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
    ...options,
  });
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
