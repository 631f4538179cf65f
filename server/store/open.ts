import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Dialect, Kysely, sql, type Transaction } from 'kysely';
import { type BearerCache, newBearerCache } from './bearer-cache.ts';
import { CamelCaseNames } from './camel-case.ts';
import { type TellChanges, tellingChanges } from './changes.ts';
import {
  CONNECTION_BOUNDS,
  type ConnectionBounds,
  type ConnectionCounts,
  type ConnectionPool,
  connectionsTo,
  type Purpose,
} from './connections.ts';
import { assertWhole } from './copy/marker.ts';
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
  readonly bearers: Pick<BearerCache, 'find'>;
  /** See `transaction` in transaction.ts: the whole work may run again, at most five times. */
  transaction<T>(work: (tx: Transaction<Database>) => Promise<T>): Promise<T>;
  /** Throws when the database does not answer, or takes no writes. */
  ping(): Promise<void>;
  /** Throws when the tables are not those that this server's code knows: a newer server may have changed them. */
  assertMigrated(): Promise<void>;
  close(): Promise<void>;
}

/** A store with connections for three uses. On SQLite they are one and the same. */
export interface OpenStore extends Store {
  /** The same database over other connections, so that workers go on while requests use all of theirs. */
  readonly forWorkers: Store;
  /** For the queries of metrics, which must not take connections from others. */
  readonly forMetrics: Pick<Store, 'db'>;
  /** The pools of connections; empty on SQLite, which has none. */
  pools(): Readonly<Partial<Record<Purpose, ConnectionCounts>>>;
}

/** What an engine is opened with. */
interface Opening {
  /** Of the connections to PostgreSQL. */
  readonly bounds: Readonly<Record<Purpose, ConnectionBounds>>;
  /** See tellingChanges. */
  readonly tell: TellChanges;
}

/** An engine that is up to date. */
interface Opened {
  readonly engine: Engine;
  readonly handles: Readonly<Record<Exclude<Purpose, 'migrations'>, Kysely<Database>>>;
  /** See newBearerCache. */
  readonly version: (() => number) | null;
  /** See `Store.ping`. */
  readonly ping: () => Promise<void>;
  readonly pools: OpenStore['pools'];
  readonly close: () => Promise<void>;
}

/**
 * Opens the database and brings it up to date. Throws when the URL has an unknown scheme, when another process owns the
 * SQLite file, or when the database cannot be reached.
 * @param databaseUrl `file:` and a path, whose folder is created if absent; or `postgres://…`, with `?schema=` for a
 * schema other than `public`
 * @param bounds of the connections to PostgreSQL
 * @param now of the cache of bearers, in milliseconds
 */
export async function openStore(
  databaseUrl: string,
  bounds = CONNECTION_BOUNDS,
  now?: () => number,
): Promise<OpenStore> {
  const place = placeOf(databaseUrl);
  let bearers: BearerCache | null = null;
  const opening: Opening = { bounds, tell: (changes) => bearers?.forget(changes) };
  // only one engine's client is loaded: the other one would take a part of the start for nothing
  const opened = await (place.engine === 'sqlite' ? reachFile(place, opening) : reachServer(place, opening));
  const { engine, handles, version, ping, pools, close } = opened;
  bearers = newBearerCache({ now, version });
  const cache = bearers;
  const over = (db: Kysely<Database>): Store => ({
    db,
    engine,
    bearers: cache,
    transaction: (work) => transaction(db, work),
    ping,
    assertMigrated: () => assertMigrated(handles.health),
    close,
  });
  return { ...over(handles.requests), forWorkers: over(handles.workers), forMetrics: { db: handles.metrics }, pools };
}

async function reachFile({ path }: FilePlace, { tell }: Opening): Promise<Opened> {
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
    const db = queriesOn(tellingChanges(sqliteDialect(database, file), tell));
    const close = () => db.destroy().finally(release);
    await migrate(db).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    const ping = async () => {
      await sql`select 1`.execute(db);
      file.assertRoom();
    };
    const version = () => {
      file.assertThere();
      // a statement that is kept would keep the file open
      const version = database.prepare('pragma data_version').get();
      return (version as { readonly data_version: number }).data_version;
    };
    const handles = { requests: db, workers: db, health: db, metrics: db };
    return { engine: 'sqlite', handles, version, ping, pools: () => ({}), close };
  } catch (error) {
    release();
    throw error;
  }
}

async function reachServer(place: ServerPlace, { bounds, tell }: Opening): Promise<Opened> {
  const { default: pg } = await import('pg');
  const pools = new Map<Purpose, ConnectionPool>();
  const open = (purpose: Purpose) => {
    const pool = connectionsTo(pg, place, bounds[purpose]);
    pools.set(purpose, pool);
    return queriesOn(tellingChanges(postgresDialect(pool), tell));
  };
  const migrations = open('migrations');
  const schema = place.schema ?? 'public';
  try {
    await assertWhole(migrations, schema);
    await migrate(migrations, schema);
  } finally {
    await migrations.destroy();
    pools.delete('migrations');
  }
  const handles = {
    requests: open('requests'),
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

/** Throws for a standby too: it answers, and takes no writes. */
async function pingServer(db: Kysely<Database>): Promise<void> {
  const query = sql<{ readOnly: string }>`select current_setting('transaction_read_only') as read_only`;
  const { rows } = await query.execute(db);
  if (rows[0]?.readOnly === 'on') throw Object.assign(new Error('PostgreSQL is read-only'), { code: '25006' });
}
