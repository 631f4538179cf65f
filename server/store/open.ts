import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { CamelCasePlugin, type Dialect, Kysely, sql, type Transaction } from 'kysely';
import type Pg from 'pg';
import { SECOND_MS } from '../domain/time.ts';
import { postgresDialect, sqliteDialect } from './dialect.ts';
import { watchFile } from './file.ts';
import { assertMigrated, migrate } from './migrate.ts';
import { type FilePlace, placeOf, type ServerPlace } from './place.ts';
import type { Database } from './schema.ts';
import { transaction } from './transaction.ts';

export type Engine = 'sqlite' | 'postgres';

export interface Store {
  readonly db: Kysely<Database>;
  readonly engine: Engine;
  /** See `transaction` in transaction.ts: the whole work may run again, at most five times. */
  transaction<T>(work: (tx: Transaction<Database>) => Promise<T>): Promise<T>;
  /** Throws when the database does not answer, or takes no writes. */
  ping(): Promise<void>;
  /** Throws when the tables are not those that this server's code knows: a newer server may have changed them. */
  assertMigrated(): Promise<void>;
  close(): Promise<void>;
}

/** An opened engine, before its migrations. */
interface Opened {
  readonly engine: Engine;
  readonly dialect: Dialect;
  /** PostgreSQL only. */
  readonly schema?: string;
  /** See `Store.ping`. */
  readonly ping: (db: Kysely<Database>) => Promise<void>;
  readonly release: () => void;
}

/**
 * Opens the database and brings it up to date. Throws when the URL has an unknown scheme, when another process owns the
 * SQLite file, or when the database cannot be reached.
 * @param databaseUrl `file:` and a path, whose folder is created if absent; or `postgres://…`, with `?schema=` for a
 * schema other than `public`
 */
export async function openStore(databaseUrl: string): Promise<Store> {
  const { engine, dialect, schema, ping, release } = await reach(databaseUrl);
  const db = new Kysely<Database>({
    dialect,
    plugins: [new CamelCasePlugin({ underscoreBetweenUppercaseLetters: true })],
  });
  const close = async () => {
    try {
      await db.destroy();
    } finally {
      release();
    }
  };
  try {
    await migrate(db, schema);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    db,
    engine,
    transaction: (work) => transaction(db, work),
    ping: () => ping(db),
    assertMigrated: () => assertMigrated(db),
    close,
  };
}

/** Loads the client of one engine only: the other one would take a part of the start for nothing. */
function reach(databaseUrl: string): Promise<Opened> {
  const place = placeOf(databaseUrl);
  return place.engine === 'sqlite' ? reachFile(place) : reachServer(place);
}

async function reachFile({ path }: FilePlace): Promise<Opened> {
  const [{ default: Libsql }, { ownAlone }] = await Promise.all([import('libsql'), import('./one-owner.ts')]);
  mkdirSync(dirname(path), { recursive: true });
  const release = ownAlone(path);
  try {
    const database = new Libsql(path);
    database.exec('pragma journal_mode = wal');
    database.exec('pragma synchronous = full');
    const file = watchFile(path);
    const ping: Opened['ping'] = async (db) => {
      await sql`select 1`.execute(db);
      file.assertRoom();
    };
    return { engine: 'sqlite', dialect: sqliteDialect(database, file), ping, release };
  } catch (error) {
    release();
    throw error;
  }
}

async function reachServer({ url, schema }: ServerPlace): Promise<Opened> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url.href,
    connectionTimeoutMillis: 5 * SECOND_MS,
    types: { getTypeParser: parserOf(pg.types) },
    ...(schema === null ? {} : { options: `-c search_path=${schema}` }),
  });
  // the pool replaces a broken connection, and its query fails; without a listener the error would end the process
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const dialect = postgresDialect(pool);
  return { engine: 'postgres', dialect, schema: schema ?? 'public', ping: pingServer, release: () => {} };
}

/** Throws for a standby too: it answers, and takes no writes. */
async function pingServer(db: Kysely<Database>): Promise<void> {
  const query = sql<{ readOnly: string }>`select current_setting('transaction_read_only') as read_only`;
  const { rows } = await query.execute(db);
  if (rows[0]?.readOnly === 'on') throw Object.assign(new Error('PostgreSQL is read-only'), { code: '25006' });
}

/** Reads eight-byte integers as numbers: they are milliseconds and counts, far below 2^53. */
function parserOf({ builtins, getTypeParser }: typeof Pg.types): typeof Pg.types.getTypeParser {
  return (oid: number, format?: 'text' | 'binary') =>
    oid === builtins.INT8 ? Number : getTypeParser(oid, format as 'text');
}
