import {
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  type RawBuilder,
  type SqliteDatabase,
  SqliteDialect,
  sql,
} from 'kysely';
import type Libsql from 'libsql';
import { LRUCache } from 'lru-cache';
import type { DatabaseFile } from '../file.ts';
import type { Queries } from '../schema.ts';
import type { WriteAheadLog } from './write-ahead-log.ts';

// The differences between SQLite and PostgreSQL.

/** Whether the engine locks single rows. PostgreSQL does; SQLite allows one writer at a time. */
export function hasRowLocks(db: Pick<Queries, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** A text that the planner does not know, so that it chooses no partial index because of it. */
export function hiddenText(text: string): RawBuilder<string> {
  return sql`(select cast(${text} as text))`;
}

/** A subquery that passes any number of texts as one parameter, so that the SQL stays the same. */
export function listOf(db: Queries, texts: readonly string[]): RawBuilder<string> {
  return listFrom(db, listParameter(db, texts));
}

/** The same for a column of some rows. */
export function listOfColumn<Name extends string>(
  db: Queries,
  rows: readonly Readonly<Record<Name, string>>[],
  name: Name,
): RawBuilder<string> {
  return listOf(
    db,
    rows.map((row) => row[name]),
  );
}

export type ListParameter = readonly string[] | string;

export function listParameter(db: Queries, texts: readonly string[]): ListParameter {
  return hasRowLocks(db) ? texts : JSON.stringify(texts);
}

/** The texts as a table with a column `value`. */
export function listFrom(db: Queries, parameter: ListParameter): RawBuilder<string> {
  return hasRowLocks(db)
    ? sql`(select unnest(${parameter}::text[]) as value)`
    : sql`(select value from json_each(${parameter}))`;
}

export function postgresDialect(pool: PostgresPool): Dialect {
  const base = new PostgresDialect({ pool });
  return {
    createAdapter: () => base.createAdapter(),
    createDriver: () => rollingBackQuietly(base.createDriver()),
    createIntrospector: (db) => namingTables(base.createIntrospector(db), db),
    createQueryCompiler: () => base.createQueryCompiler(),
  };
}

/**
 * Lists only the names of tables, which is all the migrator needs. Kysely would read every column of every schema, and
 * fail if another schema were dropped in the meantime.
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

interface SqliteFile {
  readonly database: Libsql.Database;
  readonly file: DatabaseFile;
  noteCommit(): void;
  readonly statements: Statements;
}

export function sqliteDialect(
  database: Libsql.Database,
  file: DatabaseFile,
  log: Pick<WriteAheadLog, 'noteCommit' | 'flushed'>,
): Dialect {
  let hasCommitted = false;
  const noteCommit = () => {
    hasCommitted = true;
    log.noteCommit();
  };
  const sqlite: SqliteFile = { database, file, noteCommit, statements: statementsOf(database) };
  const base = new SqliteDialect({ database: guarded(sqlite) });
  return {
    createAdapter() {
      // an interrupted migration must leave nothing behind; SQLite supports transactional DDL, but Kysely does not use
      // it
      return Object.defineProperty(base.createAdapter(), 'supportsTransactionalDdl', { value: true });
    },
    createDriver() {
      const driver = rollingBackQuietly(base.createDriver());
      const commit = driver.commitTransaction.bind(driver);
      const release = driver.releaseConnection.bind(driver);
      let before = 0;
      // a deferred transaction that reads before it writes can fail, and a busy timeout does not help
      driver.beginTransaction = async () => {
        begin(sqlite);
        before = changedRows(sqlite);
      };
      driver.commitTransaction = async (connection) => {
        await commit(connection);
        if (changedRows(sqlite) !== before) noteCommit();
        // even without a change: its result can depend on a commit that is not yet on disk
        hasCommitted = true;
      };
      driver.releaseConnection = async (connection) => {
        const isToWait = hasCommitted;
        hasCommitted = false;
        await release(connection);
        // only now: others use the connection while the disk writes, and their commits share the next write
        if (isToWait) await log.flushed();
      };
      return driver;
    },
    createIntrospector: (db) => base.createIntrospector(db),
    createQueryCompiler: () => base.createQueryCompiler(),
  };
}

/**
 * Ignores a failed rollback, so that the caller sees the original error. A rollback fails when the transaction has
 * already ended: SQLite ends it when the disk is full, and PostgreSQL when the connection breaks.
 */
function rollingBackQuietly(driver: Driver): Driver {
  const rollBack = driver.rollbackTransaction.bind(driver);
  driver.rollbackTransaction = (connection) => rollBack(connection).catch(() => {});
  return driver;
}

/**
 * A prepared statement that finds the file busy stays open until garbage collection, and blocks every commit until
 * then. `exec` leaves no statement open, so every transaction begins with it.
 */
function begin({ database, file }: SqliteFile): void {
  file.assertThere();
  file.assertRoom();
  database.exec('begin immediate');
}

/** The number of rows that this connection has changed so far, including cascades. */
function changedRows({ statements }: SqliteFile): number {
  const { statement } = statements.memo('select total_changes() as count');
  const [row] = statement.all() as { readonly count: number }[];
  return row!.count;
}

/** Runs a statement. A write outside a transaction gets a separate one: see `begin`. */
function inTransaction<T>(sqlite: SqliteFile, source: string, run: () => T): T {
  const { database, file } = sqlite;
  // an open transaction must be able to end, at least with a rollback
  if (database.inTransaction) return run();
  if (!/^\s*(insert|update|delete|with)\b/i.test(source)) {
    file.assertThere();
    return run();
  }
  begin(sqlite);
  try {
    const before = changedRows(sqlite);
    const result = run();
    database.exec('commit');
    // a query with a WITH clause, or a write that matches no row, leaves nothing to write to disk
    if (changedRows(sqlite) !== before) sqlite.noteCommit();
    return result;
  } catch (error) {
    if (database.inTransaction) database.exec('rollback');
    throw error;
  }
}

/**
 * Prepared statements kept on SQLite: enough for every query of the server, including several lengths of the multi-row
 * ones.
 * @beyond the least recently used one is dropped, and prepared again when needed
 * @heldBy tests/store/prepared.test.ts
 */
const MOST_STATEMENTS_KEPT = 300;

type Statements = ReturnType<typeof statementsOf>;

function statementsOf(database: Libsql.Database) {
  // preparing a statement takes longer than running it, for most statements
  return new LRUCache<string, { readonly statement: Libsql.Statement; readonly reader: boolean }>({
    max: MOST_STATEMENTS_KEPT,
    memoMethod: (source) => {
      const statement = database.prepare(source);
      // whether it returns rows; cached, because libsql parses the statement on every read of this property
      return { statement, reader: statement.reader };
    },
  });
}

function guarded(sqlite: SqliteFile): SqliteDatabase {
  const { database, statements } = sqlite;
  // libsql crashes the process when a boolean is bound; throw instead
  const checked = (parameters: readonly unknown[]) => {
    if (parameters.some((parameter) => typeof parameter === 'boolean')) {
      throw new TypeError('A boolean cannot be bound; store it as 0 or 1.');
    }
    return parameters;
  };
  const using = <T>(source: string, run: () => T): T => {
    try {
      return inTransaction(sqlite, source, run);
    } catch (error) {
      // the statement may still be open (see `begin`), and the cache would keep it from being collected
      statements.delete(source);
      throw error;
    }
  };
  return {
    close() {
      statements.clear();
      // libsql closes only after its statements are collected. Until then, this process keeps the index of the log, and
      // its next connection would use it, although it goes stale if other processes write in between
      try {
        database.exec('pragma journal_mode = delete');
      } catch {
        // a backup is reading; the file must be complete without its log
        database.exec('pragma wal_checkpoint(truncate)');
      }
      database.close();
    },
    prepare(source) {
      const { statement, reader } = statements.memo(source);
      return {
        reader,
        all: (parameters) => using(source, () => statement.all(checked(parameters))),
        run: (parameters) => using(source, () => statement.run(checked(parameters))),
        // not the cached statement: another query may use it while this iteration pauses
        iterate: (parameters) => database.prepare(source).iterate(checked(parameters)),
      };
    },
  };
}
