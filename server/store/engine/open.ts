import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Dialect, Kysely, sql } from 'kysely';
import { type BearerCache, newBearerCache } from '../bearer-cache.ts';
import { CamelCaseNames } from '../camel-case.ts';
import { type DatabaseFile, watchFile } from '../file.ts';
import { databaseLocationOf, type FileLocation, type ServerLocation } from '../location.ts';
import { assertMigrated, migrate } from '../migrate.ts';
import type { Database, Tx } from '../schema.ts';
import { briefly, transaction, whileLocked } from '../transaction.ts';
import { rowsOf, type TellChanges, tellingChanges } from './changes.ts';
import {
  CONNECTION_BOUNDS,
  type ConnectionBounds,
  type ConnectionCounts,
  type ConnectionPool,
  connectionsTo,
  type Purpose,
} from './connections.ts';
import { postgresDialect, sqliteDialect } from './dialect.ts';
import { openWriteAheadLog, type WriteAheadLog } from './write-ahead-log.ts';

export type Engine = 'sqlite' | 'postgres';

export interface Store {
  /** A write resolves when it is on disk, as `transaction` does. */
  readonly db: Kysely<Database>;
  readonly engine: Engine;
  readonly bearers: Pick<BearerCache, 'find'>;
  /**
   * See `transaction` in transaction.ts: all of `work` may run again, at most five times. Resolves when the commit is
   * on disk. On SQLite, others can see it shortly before.
   * @param wait `briefly`: fails soon if a row is locked, because the caller holds what others share: see `whileLocked`
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, wait?: 'briefly'): Promise<T>;
  /** Throws when the database does not respond or accepts no writes. */
  ping(): Promise<void>;
  /** Throws when the tables do not match this server's code, for example because a newer server migrated them. */
  assertMigrated(): Promise<void>;
  close(): Promise<void>;
}

/** A store with separate connections for each use. On SQLite they are the same. */
export interface OpenStore extends Store {
  /** Sandbox calls cannot use up the connections of other requests. */
  readonly forSandboxes: Store;
  /** Workers continue when requests use all of theirs. */
  readonly forWorkers: Store;
  /** For metrics queries, which must not take connections from other uses. */
  readonly forMetrics: Pick<Store, 'db'>;
  /** The connection pools; empty on SQLite, which has none. */
  pools(): Readonly<Partial<Record<Purpose, ConnectionCounts>>>;
}

interface Opening {
  /** Bounds on the connections to PostgreSQL. */
  readonly bounds: Readonly<Record<Purpose, ConnectionBounds>>;
  readonly tell: TellChanges;
  /** Migrates the tables, or throws if they are not as this process needs them. */
  readonly prepare: typeof migrate;
}

interface Opened {
  readonly engine: Engine;
  readonly handles: Readonly<Record<Exclude<Purpose, 'migrations'>, Kysely<Database>>>;
  readonly version: (() => number) | null;
  readonly ping: () => Promise<void>;
  readonly pools: OpenStore['pools'];
  readonly close: () => Promise<void>;
}

/**
 * Opens the database and prepares its tables. Throws when the URL has an unknown scheme, when another process owns the
 * SQLite file, when the database cannot be reached, or when `prepare` does.
 * @param databaseUrl `file:` and a path, whose folder is created if absent; or `postgres://…`, with `?schema=` for a
 *   schema other than `public`
 * @param now clock for the bearer cache, in milliseconds
 */
export async function openStore(
  databaseUrl: string,
  { bounds = CONNECTION_BOUNDS, prepare = migrate, now }: Partial<Omit<Opening, 'tell'>> & { now?: () => number } = {},
): Promise<OpenStore> {
  const location = databaseLocationOf(databaseUrl);
  let bearers: BearerCache | null = null;
  const opening: Opening = { bounds, prepare, tell: (changes) => bearers?.forget(changes) };
  // loads only the engine in use: the other client would slow down the start
  const opened = await (location.engine === 'sqlite' ? reachFile(location, opening) : reachServer(location, opening));
  const { engine, handles, version, ping, pools, close } = opened;
  bearers = newBearerCache({ now, version });
  const cache = bearers;
  const over = (db: Kysely<Database>): Store => ({
    db,
    engine,
    bearers: cache,
    transaction: (work, wait) => transaction(db, wait === 'briefly' ? briefly(work) : work),
    ping,
    assertMigrated: () => assertMigrated(handles.health),
    close,
  });
  /** One client's calls that wait for a row must not keep the connections of others. */
  const givingBack = (store: Store): Store => ({
    ...store,
    transaction: (work, wait) => {
      const attempt = () => store.transaction(work, 'briefly');
      return wait === 'briefly' ? attempt() : whileLocked(attempt);
    },
  });
  const [forRequests, forSandboxes] = [givingBack(over(handles.requests)), givingBack(over(handles.sandboxes))];
  return {
    ...forRequests,
    forSandboxes,
    forWorkers: over(handles.workers),
    forMetrics: { db: handles.metrics },
    pools,
  };
}

async function reachFile({ path }: FileLocation, { tell, prepare }: Opening): Promise<Opened> {
  const [{ default: Libsql }, { ownAlone }] = await Promise.all([import('libsql'), import('../one-owner.ts')]);
  mkdirSync(dirname(path), { recursive: true });
  const release = ownAlone(path);
  try {
    // no other process should write to the file; if one does, calls fail immediately, because waiting would block the
    // whole process
    const database = new Libsql(path, { timeout: 0 });
    assertWal(path, database.prepare('pragma journal_mode = wal').get());
    database.exec('pragma synchronous = full');
    // data that passengers delete must not remain in free pages
    database.exec('pragma secure_delete = on');
    // after a failed write to disk, log pages can count as written although they exist only in memory; new commits must
    // not depend on them
    database.exec('pragma wal_checkpoint(truncate)');
    let log: WriteAheadLog | null = null;
    const watched = watchFile(path);
    const file: DatabaseFile = {
      assertThere: watched.assertThere,
      assertRoom: () => {
        // checked before a write, because a commit that does not reach the disk cannot be undone
        log?.assertSound();
        watched.assertRoom();
      },
    };
    const commits = { noteCommit: () => log?.noteCommit(), flushed: async () => log?.flushed() };
    const db = queriesOn(tellingChanges(sqliteDialect(database, file, commits), tell));
    const close = async () => {
      try {
        await db.destroy();
      } finally {
        await log?.close();
        release();
      }
    };
    try {
      await prepare(db);
      log = openWriteAheadLog(path);
    } catch (error) {
      await close();
      throw error;
    }
    // from here on, a commit does not block the process until it is on disk: commits that end together share one write
    database.exec('pragma synchronous = normal');
    const ping = async () => {
      await rowsOf(db, sql`select 1 as one`);
      file.assertRoom();
    };
    const version = () => {
      file.assertThere();
      // a cached statement would keep the file open
      const version = database.prepare('pragma data_version').get();
      return (version as { readonly data_version: number }).data_version;
    };
    const handles = { requests: db, sandboxes: db, workers: db, health: db, metrics: db };
    return { engine: 'sqlite', handles, version, ping, pools: () => ({}), close };
  } catch (error) {
    release();
    throw error;
  }
}

/** SQLite reports a file system without support for its log only as the mode that it keeps. */
function assertWal(path: string, row: unknown): void {
  const { journal_mode: mode } = row as { readonly journal_mode: string };
  if (mode !== 'wal')
    throw new Error(`${path}: the file system does not support SQLite's write-ahead log, only ${mode}.`);
}

async function reachServer(location: ServerLocation, { bounds, tell, prepare }: Opening): Promise<Opened> {
  const { default: pg } = await import('pg');
  const pools = new Map<Purpose, ConnectionPool>();
  const open = (purpose: Purpose) => {
    const pool = connectionsTo(pg, location, bounds[purpose]);
    pools.set(purpose, pool);
    return queriesOn(tellingChanges(postgresDialect(pool), tell));
  };
  const migrations = open('migrations');
  try {
    await prepare(migrations, location.schema ?? 'public');
  } finally {
    await migrations.destroy();
    pools.delete('migrations');
  }
  const handles = {
    requests: open('requests'),
    sandboxes: open('sandboxes'),
    workers: open('workers'),
    health: open('health'),
    metrics: open('metrics'),
  };
  return {
    engine: 'postgres',
    handles,
    version: null,
    ping: () => pingServer(handles.health),
    pools: () => Object.fromEntries([...pools].map(([purpose, pool]) => [purpose, pool.counts()])),
    close: async () => void (await Promise.all(Object.values(handles).map((handle) => handle.destroy()))),
  };
}

function queriesOn(dialect: Dialect): Kysely<Database> {
  return new Kysely<Database>({ dialect, plugins: [new CamelCaseNames()] });
}

/** Also throws for a standby, which responds but accepts no writes. */
async function pingServer(db: Kysely<Database>): Promise<void> {
  const query = sql<{ readOnly: string }>`select current_setting('transaction_read_only') as read_only`;
  const [found] = await rowsOf(db, query);
  if (found?.readOnly === 'on') throw Object.assign(new Error('PostgreSQL is read-only'), { code: '25006' });
}
