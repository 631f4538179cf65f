import {
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  type RawBuilder,
  type SqliteDatabase,
  SqliteDialect,
  sql,
} from 'kysely';
import type Libsql from 'libsql';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { Queries } from './schema.ts';

// What the two engines cannot share is in this file.

/** Whether rows can be locked by themselves, as PostgreSQL does; SQLite has one writer at a time. */
export function hasRowLocks(db: Queries): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Texts as a subquery of one parameter: the statement stays the same however many there are. */
export function listOf(db: Queries, texts: readonly string[]): RawBuilder<string> {
  return hasRowLocks(db)
    ? sql`(select unnest(${texts}::text[]))`
    : sql`(select value from json_each(${JSON.stringify(texts)}))`;
}

export function postgresDialect(pool: Pool): Dialect {
  const base = new PostgresDialect({ pool });
  return {
    createAdapter: () => base.createAdapter(),
    createDriver: () => rollingBackQuietly(base.createDriver()),
    createIntrospector: (db) => namingTables(base.createIntrospector(db), db),
    createQueryCompiler: () => base.createQueryCompiler(),
  };
}

/**
 * Tells tables by name alone, which is all that the migrator asks for. Kysely would look at every column of every schema, and fail when a
 * schema of somebody else's goes meanwhile.
 */
function namingTables(introspector: DatabaseIntrospector, db: Kysely<unknown>): DatabaseIntrospector {
  return {
    getSchemas: () => introspector.getSchemas(),
    getMetadata: (options) => introspector.getMetadata(options),
    getTables: async () => {
      const query = sql<{
        schema: string;
        name: string;
      }>`select schemaname as schema, tablename as name from pg_tables`;
      const { rows } = await query.execute(db);
      return rows.map((row) => ({ ...row, isView: false, columns: [] }));
    },
  };
}

export function sqliteDialect(database: Libsql.Database): Dialect {
  const base = new SqliteDialect({ database: guarded(database) });
  return {
    createAdapter() {
      // a migration that is cut off must leave nothing behind; SQLite can do that, Kysely does not ask it to
      return Object.defineProperty(base.createAdapter(), 'supportsTransactionalDdl', { value: true });
    },
    createDriver() {
      const driver = rollingBackQuietly(base.createDriver());
      // a deferred transaction that reads before it writes can fail where no busy timeout helps
      driver.beginTransaction = async () => begin(database);
      return driver;
    },
    createIntrospector: (db) => base.createIntrospector(db),
    createQueryCompiler: () => base.createQueryCompiler(),
  };
}

/**
 * What a transaction failed for is what counts. Its rollback fails where there is nothing to roll back any more: SQLite ends a
 * transaction by itself when its disk is full, and a broken connection ends one of PostgreSQL's.
 */
function rollingBackQuietly(driver: Driver): Driver {
  const rollBack = driver.rollbackTransaction.bind(driver);
  driver.rollbackTransaction = (connection) => rollBack(connection).catch(() => {});
  return driver;
}

/**
 * A prepared statement that finds the file busy stays under way until it is collected, and nothing can be committed until then.
 * `exec` leaves none behind, so the right to write is always asked for with that.
 */
function begin(database: Libsql.Database): void {
  database.exec('begin immediate');
}

/** Runs a statement; one that writes in a transaction, its own if none is under way: see `begin`. */
function inTransaction<T>(database: Libsql.Database, source: string, run: () => T): T {
  if (database.inTransaction || !/^(insert|update|delete|with)\b/i.test(source)) return run();
  begin(database);
  try {
    const result = run();
    database.exec('commit');
    return result;
  } catch (error) {
    if (database.inTransaction) database.exec('rollback');
    throw error;
  }
}

/** Every query of the product, and those of many rows in some of their lengths. */
const MOST_STATEMENTS_KEPT = 300;

function guarded(database: Libsql.Database): SqliteDatabase {
  // libsql ends the whole process when it is given a boolean to bind: an error is better
  const checked = (parameters: readonly unknown[]) => {
    if (parameters.some((parameter) => typeof parameter === 'boolean')) {
      throw new TypeError('A boolean cannot be bound; store it as 0 or 1.');
    }
    return parameters;
  };
  // preparing a statement takes longer than running most of them
  const statements = new LRUCache<string, Libsql.Statement>({
    max: MOST_STATEMENTS_KEPT,
    memoMethod: (source) => database.prepare(source),
  });
  const using = <T>(source: string, run: () => T): T => {
    try {
      return inTransaction(database, source, run);
    } catch (error) {
      // it may still be under way (see `begin`), and as long as it is kept it would not be collected
      statements.delete(source);
      throw error;
    }
  };
  return {
    close() {
      statements.clear();
      // libsql closes when its statements have been collected; by then the file must be whole without its log
      database.exec('pragma wal_checkpoint(truncate)');
      database.close();
    },
    prepare(source) {
      const statement = statements.memo(source);
      return {
        reader: statement.reader,
        all: (parameters) => using(source, () => statement.all(checked(parameters))),
        run: (parameters) => using(source, () => statement.run(checked(parameters))),
        // whoever iterates may pause, and the kept one may be asked for meanwhile
        iterate: (parameters) => database.prepare(source).iterate(checked(parameters)),
      };
    },
  };
}

/** Columns of each unique index, for SQLite names those and never the index. */
const UNIQUE_INDEXES = {
  one_active_ride: 'rides.world_id, rides.passenger_id',
  one_ride_per_driver: 'rides.world_id, rides.driver_id',
  one_passenger_per_email: 'passengers.world_id, passengers.email',
} as const;

export type UniqueIndex = keyof typeof UNIQUE_INDEXES;

const SQLITE_UNIQUE_CODES = ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'];
const POSTGRES_UNIQUE_VIOLATION = '23505';

/** Whether a write was refused because its row was there already: in this unique index, or in any. */
export function isUniqueViolation(error: unknown, index?: UniqueIndex): boolean {
  if (!(error instanceof Error)) return false;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  if (code === POSTGRES_UNIQUE_VIOLATION) return index === undefined || constraint === index;
  if (!SQLITE_UNIQUE_CODES.includes(String(code))) return false;
  return index === undefined || error.message.endsWith(`: ${UNIQUE_INDEXES[index]}`);
}

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/** Whether PostgreSQL gave a transaction up so that another one could go on. */
export function isVictim(error: unknown): boolean {
  const code = error instanceof Error && (error as { code?: unknown }).code;
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED;
}

/** What Node says of a server that cannot be reached. */
const UNREACHABLE = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
];

/**
 * What PostgreSQL says when the work was fine and it could not do it now: connections, resources (a full disk, memory), locks and
 * statements that took too long, a standby that cannot write yet, a shutdown, the disk itself.
 */
const POSTGRES_IN_TROUBLE = /^(08\w{3}|53\w{3}|55P03|57014|57P0[1235]|25006|25P0[34]|58\w{3})$/;

/** The same of SQLite: another process holds the file, or the disk is full, failing or read-only. */
const SQLITE_IN_TROUBLE = /^SQLITE_(BUSY|LOCKED|PROTOCOL|FULL|IOERR|CANTOPEN|READONLY|NOMEM)(_|$)/;

/** What the PostgreSQL client says without a code. */
const NO_CONNECTION =
  /^Connection terminated|^timeout e(xceeded when trying to connect|xpired)$|^Client (was closed|has encountered a connection error)|^Query read timeout$/;

/** Whether the database is away or cannot do its work at the moment, so that the same call may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = String((error as { code?: unknown }).code);
  return (
    UNREACHABLE.includes(code) ||
    POSTGRES_IN_TROUBLE.test(code) ||
    SQLITE_IN_TROUBLE.test(code) ||
    NO_CONNECTION.test(error.message)
  );
}
