import {
  CompiledQuery,
  type Dialect,
  PostgresAdapter,
  PostgresDialect,
  type SqliteDatabase,
  SqliteDialect,
} from 'kysely';
import type Libsql from 'libsql';
import type { Pool } from 'pg';
import type { Queries } from './schema.ts';

// What the two engines cannot share is in this file.

/** Whether rows can be locked by themselves, as PostgreSQL does; SQLite has one writer at a time. */
export function hasRowLocks(db: Queries): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

export function postgresDialect(pool: Pool): Dialect {
  return new PostgresDialect({ pool });
}

export function sqliteDialect(database: Libsql.Database): Dialect {
  const base = new SqliteDialect({ database: guarded(database) });
  return {
    createAdapter() {
      // a migration that is cut off must leave nothing behind; SQLite can do that, Kysely does not ask it to
      return Object.defineProperty(base.createAdapter(), 'supportsTransactionalDdl', { value: true });
    },
    createDriver() {
      const driver = base.createDriver();
      // a deferred transaction that reads before it writes can fail where no busy timeout helps
      driver.beginTransaction = async (connection) => {
        await connection.executeQuery(CompiledQuery.raw('begin immediate'));
      };
      return driver;
    },
    createIntrospector: (db) => base.createIntrospector(db),
    createQueryCompiler: () => base.createQueryCompiler(),
  };
}

function guarded(database: Libsql.Database): SqliteDatabase {
  // libsql ends the whole process when it is given a boolean to bind: an error is better
  const checked = (parameters: readonly unknown[]) => {
    if (parameters.some((parameter) => typeof parameter === 'boolean')) {
      throw new TypeError('A boolean cannot be bound; store it as 0 or 1.');
    }
    return parameters;
  };
  return {
    close() {
      // libsql closes when its statements have been collected; by then the file must be whole without its log
      database.exec('pragma wal_checkpoint(truncate)');
      database.close();
    },
    prepare(source) {
      const statement = database.prepare(source);
      return {
        reader: statement.reader,
        all: (parameters) => statement.all(checked(parameters)),
        run: (parameters) => statement.run(checked(parameters)),
        iterate: (parameters) => statement.iterate(checked(parameters)),
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

/** What Node and PostgreSQL say of a database that cannot be reached, or that is going away. */
const UNAVAILABLE_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  '57P01',
  '57P02',
  '57P03',
  '53300',
];

/** Whether the database is away, so that the same call may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return (
    UNAVAILABLE_CODES.includes(String(code)) ||
    /^Connection terminated|^timeout exceeded when trying to connect/.test(error.message)
  );
}
