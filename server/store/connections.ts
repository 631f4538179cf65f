import { Socket } from 'node:net';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type Pg from 'pg';
import { HOUR_MS, SECOND_MS } from '../domain/time.ts';
import type { ServerPlace } from './place.ts';
import { preparedName } from './prepared.ts';

/** What bounds the connections of one pool. Times are milliseconds; null: no bound. */
export interface ConnectionBounds {
  readonly most: number;
  /** See LONGEST_CONNECT_MS. */
  readonly connectMs: number;
  /** See LONGEST_STATEMENT_MS. */
  readonly statementMs: number | null;
  /** See LONGEST_LOCK_WAIT_MS. */
  readonly lockMs: number | null;
  /** See LONGEST_SILENCE_MS. Longer than `statementMs`. */
  readonly silenceMs: number;
}

/** The pools of a server. Each has connections of its own, so that none can use up those of another. */
export type Purpose = 'requests' | 'workers' | 'health' | 'metrics' | 'migrations';

/** Connections for requests: a server process runs on one core, and each of its statements takes milliseconds. */
export const MOST_REQUEST_CONNECTIONS = 10;
/** Connections for timers, deliveries and sweeps. */
export const MOST_WORKER_CONNECTIONS = 4;
/** Connections for `/healthz` and `/readyz`. */
export const MOST_HEALTH_CONNECTIONS = 1;
/** Connections for the queries of metrics, which a server makes when somebody asks for them. */
export const MOST_METRICS_CONNECTIONS = 1;
/** Connections while a server starts. */
export const MOST_MIGRATION_CONNECTIONS = 2;
/** How long it may take to connect, and how long a query waits for a free connection. */
export const LONGEST_CONNECT_MS = 5 * SECOND_MS;
/** PostgreSQL ends a statement that takes longer. */
export const LONGEST_STATEMENT_MS = 5 * SECOND_MS;
/** PostgreSQL ends a statement that waits longer for a row that another transaction has locked. */
export const LONGEST_LOCK_WAIT_MS = 3 * SECOND_MS;
/** A statement without a result after this time has lost its connection. With a new one, all is well in ten seconds. */
export const LONGEST_SILENCE_MS = 7 * SECOND_MS;
/** The same for a probe, and the longest time in which it connects: whoever sent it waits a few seconds only. */
export const LONGEST_SILENCE_OF_PROBE_MS = 2 * SECOND_MS;
/** The same for a statement of a migration, which may rewrite a table, or wait while another server migrates. */
export const LONGEST_SILENCE_OF_MIGRATION_MS = HOUR_MS;
/** How many queries of a pool may wait for a free connection. Another one fails at once. */
export const MOST_WAITING_QUERIES = 500;
/** PostgreSQL ends a transaction in which no statement came for this long, and so releases its locks. */
export const LONGEST_PAUSE_IN_TRANSACTION_MS = 10 * SECOND_MS;
/** After this time without traffic the operating system asks whether the other side is still there. */
const KEEP_ALIVE_AFTER_MS = 10 * SECOND_MS;

const SERVING = {
  connectMs: LONGEST_CONNECT_MS,
  statementMs: LONGEST_STATEMENT_MS,
  lockMs: LONGEST_LOCK_WAIT_MS,
  silenceMs: LONGEST_SILENCE_MS,
};

const PROBING = {
  connectMs: LONGEST_SILENCE_OF_PROBE_MS,
  statementMs: LONGEST_SILENCE_OF_PROBE_MS / 2,
  lockMs: LONGEST_SILENCE_OF_PROBE_MS / 2,
  silenceMs: LONGEST_SILENCE_OF_PROBE_MS,
};

export const CONNECTION_BOUNDS: Readonly<Record<Purpose, ConnectionBounds>> = {
  requests: { ...SERVING, most: MOST_REQUEST_CONNECTIONS },
  workers: { ...SERVING, most: MOST_WORKER_CONNECTIONS },
  health: { ...PROBING, most: MOST_HEALTH_CONNECTIONS },
  metrics: { ...PROBING, most: MOST_METRICS_CONNECTIONS },
  migrations: {
    most: MOST_MIGRATION_CONNECTIONS,
    connectMs: LONGEST_CONNECT_MS,
    statementMs: null,
    lockMs: null,
    silenceMs: LONGEST_SILENCE_OF_MIGRATION_MS,
  },
};

/** The connections of a pool now. */
export interface ConnectionCounts {
  /** The bound of `total`. */
  readonly most: number;
  /** In use or idle. */
  readonly total: number;
  readonly idle: number;
  /** Queries that wait for a free connection. */
  readonly waiting: number;
}

export interface ConnectionPool extends PostgresPool {
  counts(): ConnectionCounts;
}

/** A pool of connections to PostgreSQL, which makes them when they are needed. */
export function connectionsTo(pg: typeof Pg, { url, schema }: ServerPlace, bounds: ConnectionBounds): ConnectionPool {
  const pool = new pg.Pool({
    connectionString: url.href,
    max: bounds.most,
    connectionTimeoutMillis: bounds.connectMs,
    query_timeout: bounds.silenceMs,
    statement_timeout: bounds.statementMs ?? false,
    ...(bounds.lockMs === null ? {} : { lock_timeout: bounds.lockMs }),
    idle_in_transaction_session_timeout: LONGEST_PAUSE_IN_TRANSACTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    stream: newSocket,
    types: { getTypeParser: parserOf(pg.types) },
    ...(schema === null ? {} : { options: `-c search_path=${schema}` }),
  });
  // the pool replaces a broken connection, and its query fails; without a listener the error would end the process
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    connect: async () => {
      if (pool.waitingCount >= MOST_WAITING_QUERIES) throw tooManyWaiting();
      return lossNoticed(await pool.connect(), () => dropIdle(pool));
    },
    end: () => pool.end(),
    counts: () => ({
      most: bounds.most,
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  };
}

/** A socket that does not wait for the other side once this side has ended. A peer that fell silent never ends. */
function newSocket(): Socket {
  const socket = new Socket();
  return socket.once('finish', () => socket.destroy());
}

/**
 * The same connection. pg gives up a statement that gets no result, and leaves it on the connection: whatever comes after
 * waits behind it. So nothing comes after, and the pool gets the connection back only to close it.
 */
function lossNoticed(client: Pg.PoolClient, onLoss: () => void): PostgresPoolClient {
  let loss: Error | undefined;
  const query = async (statement: string, parameters: readonly unknown[]) => {
    if (loss !== undefined) throw loss;
    try {
      const name = preparedName(statement);
      return await client.query({ text: statement, values: [...parameters], ...(name !== undefined && { name }) });
    } catch (error) {
      if (isSilence(error)) {
        loss = error;
        onLoss();
      }
      throw error;
    }
  };
  // Kysely's type has cursors too, which need a package of their own
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release(loss) };
}

function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Closes the idle connections: what silenced one has probably silenced them all, and each would cost a time-out. */
function dropIdle(pool: Pg.Pool): void {
  for (let idle = pool.idleCount; idle > 0; idle--) {
    pool.connect().then(
      (client) => client.release(true),
      () => {},
    );
  }
}

/** Has PostgreSQL's own code for this, `too_many_connections`: see isUnavailable. */
function tooManyWaiting(): Error {
  return Object.assign(new Error('Too many queries wait for a connection to PostgreSQL'), { code: '53300' });
}

/** Reads eight-byte integers as numbers: they are milliseconds and counts, far below 2^53. */
function parserOf({ builtins, getTypeParser }: typeof Pg.types): typeof Pg.types.getTypeParser {
  return (oid: number, format?: 'text' | 'binary') =>
    oid === builtins.INT8 ? Number : getTypeParser(oid, format as 'text');
}
