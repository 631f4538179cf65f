import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { CamelCasePlugin, type Dialect, Kysely, sql, type Transaction } from 'kysely';
import { CONNECTION_BOUNDS, type ConnectionBounds, connectionsTo, type Purpose } from './connections.ts';
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

/** A store with connections for two uses. On SQLite they are one and the same. */
export interface OpenStore extends Store {
  /** The same database over other connections, so that workers go on while requests use all of theirs. */
  readonly forWorkers: Store;
}

/** An engine that is up to date. */
interface Opened {
  readonly engine: Engine;
  readonly handles: Readonly<Record<Exclude<Purpose, 'migrations'>, Kysely<Database>>>;
  /** See `Store.ping`. */
  readonly ping: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Opens the database and brings it up to date. Throws when the URL has an unknown scheme, when another process owns the
 * SQLite file, or when the database cannot be reached.
 * @param databaseUrl `file:` and a path, whose folder is created if absent; or `postgres://…`, with `?schema=` for a
 * schema other than `public`
 * @param bounds of the connections to PostgreSQL
 */
export async function openStore(databaseUrl: string, bounds = CONNECTION_BOUNDS): Promise<OpenStore> {
  const place = placeOf(databaseUrl);
  // only one engine's client is loaded: the other one would take a part of the start for nothing
  const opened = await (place.engine === 'sqlite' ? reachFile(place) : reachServer(place, bounds));
  const { engine, handles, ping, close } = opened;
  const over = (db: Kysely<Database>): Store => ({
    db,
    engine,
    transaction: (work) => transaction(db, work),
    ping,
    assertMigrated: () => assertMigrated(handles.health),
    close,
  });
  return { ...over(handles.requests), forWorkers: over(handles.workers) };
}

async function reachFile({ path }: FilePlace): Promise<Opened> {
  const [{ default: Libsql }, { ownAlone }] = await Promise.all([import('libsql'), import('./one-owner.ts')]);
  mkdirSync(dirname(path), { recursive: true });
  const release = ownAlone(path);
  try {
    // nobody else should write to the file. If somebody does, calls fail at once: waiting would stop the whole process
    const database = new Libsql(path, { timeout: 0 });
    database.exec('pragma journal_mode = wal');
    database.exec('pragma synchronous = full');
    // what passengers delete must not stay in free pages
    database.exec('pragma secure_delete = on');
    const file = watchFile(path);
    const db = queriesOn(sqliteDialect(database, file));
    const close = () => db.destroy().finally(release);
    await migrate(db).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    const ping = async () => {
      await sql`select 1`.execute(db);
      file.assertRoom();
    };
    return { engine: 'sqlite', handles: { requests: db, workers: db, health: db }, ping, close };
  } catch (error) {
    release();
    throw error;
  }
}

async function reachServer(place: ServerPlace, bounds: Readonly<Record<Purpose, ConnectionBounds>>): Promise<Opened> {
  const { default: pg } = await import('pg');
  const open = (purpose: Purpose) => queriesOn(postgresDialect(connectionsTo(pg, place, bounds[purpose])));
  const migrations = open('migrations');
  try {
    await migrate(migrations, place.schema ?? 'public');
  } finally {
    await migrations.destroy();
  }
  const [requests, workers, health] = [open('requests'), open('workers'), open('health')];
  return {
    engine: 'postgres',
    handles: { requests, workers, health },
    ping: () => pingServer(health),
    close: async () => void (await Promise.all([requests, workers, health].map((handle) => handle.destroy()))),
  };
}

function queriesOn(dialect: Dialect): Kysely<Database> {
  return new Kysely<Database>({ dialect, plugins: [new CamelCasePlugin({ underscoreBetweenUppercaseLetters: true })] });
}

/** Throws for a standby too: it answers, and takes no writes. */
async function pingServer(db: Kysely<Database>): Promise<void> {
  const query = sql<{ readOnly: string }>`select current_setting('transaction_read_only') as read_only`;
  const { rows } = await query.execute(db);
  if (rows[0]?.readOnly === 'on') throw Object.assign(new Error('PostgreSQL is read-only'), { code: '25006' });
}
