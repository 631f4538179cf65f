import { Socket } from 'node:net';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type Pg from 'pg';
import { HOUR_MS, SECOND_MS } from '../../domain/time.ts';
import type { ServerLocation } from '../location.ts';
import { preparedName } from './prepared.ts';

/** Bounds on one pool's connections. Times are in milliseconds; null: no bound. See SERVING for their meaning. */
export interface ConnectionBounds {
  readonly most: number;
  readonly connectMs: number;
  readonly statementMs: number | null;
  readonly lockMs: number | null;
  /** Must exceed `statementMs`. */
  readonly silenceMs: number;
}

/** What a pool is for. Each purpose has a separate pool, so that one cannot exhaust another's connections. */
export type Purpose = 'requests' | 'sandboxes' | 'workers' | 'health' | 'metrics' | 'migrations';

/**
 * Connections for other requests: a server process runs on one core, and each statement takes milliseconds. They wait for
 * a row only briefly: see BRIEF_LOCK_WAIT_MS.
 * @beyond queries wait
 * @heldBy tests/store/silence.test.ts
 */
export const MOST_REQUEST_CONNECTIONS = 10;
/**
 * Connections for what sandbox calls do. They wait only as briefly.
 * @beyond queries wait, and those of other requests do not
 * @heldBy tests/http/crowded.test.ts
 */
export const MOST_SANDBOX_CONNECTIONS = 6;
/** Connections for timers, deliveries and sweeps. @beyond queries wait @heldBy tests/http/crowded.test.ts */
export const MOST_WORKER_CONNECTIONS = 4;
/**
 * Connections for `/healthz` and `/readyz`.
 * @beyond probes during a check share its result
 * @heldBy tests/http/crowded.test.ts
 */
export const MOST_HEALTH_CONNECTIONS = 1;
/**
 * Connections for metrics, if `METRICS_PORT` is set.
 * @beyond scrapes share a query
 * @heldBy tests/metrics/database-gauges.test.ts
 */
export const MOST_METRICS_CONNECTIONS = 1;
/** Connections while a server starts, for migrations. @beyond queries wait @heldBy tests/store/silence.test.ts */
export const MOST_MIGRATION_CONNECTIONS = 2;
/**
 * Opening a connection, or waiting for a free one.
 * @beyond 503 `temporarily_unavailable`
 * @heldBy tests/store/silence.test.ts
 */
export const LONGEST_CONNECT_MS = 5 * SECOND_MS;
/** A statement. @beyond PostgreSQL cancels it: 503 `temporarily_unavailable` @heldBy tests/store/silence.test.ts */
export const LONGEST_STATEMENT_MS = 5 * SECOND_MS;
/**
 * Waiting for a row that another transaction has locked.
 * @beyond PostgreSQL cancels the statement: 503 `temporarily_unavailable`
 * @heldBy tests/http/crowded.test.ts
 */
export const LONGEST_LOCK_WAIT_MS = 3 * SECOND_MS;
/**
 * A statement without any response: its connection is lost. Service recovers on a new one within ten seconds.
 * @beyond the connection is closed: 503 `temporarily_unavailable`
 * @heldBy tests/store/silence.test.ts
 */
export const LONGEST_SILENCE_MS = 7 * SECOND_MS;
/**
 * The same for a health check or a metrics query, and its connect timeout. The prober waits only a few seconds.
 * @beyond a health check returns 503, and the process manager may restart the server; a scrape omits the metrics of the
 * queues
 * @heldBy tests/process/silent-database.test.ts
 */
export const LONGEST_SILENCE_OF_PROBE_MS = 2 * SECOND_MS;
/**
 * The same for a migration, which may rewrite a table or wait for another server's migration.
 * @beyond the start fails; a signal ends it earlier
 * @heldBy tests/process/silent-database.test.ts
 */
export const LONGEST_SILENCE_OF_MIGRATION_MS = HOUR_MS;
/** Queries that wait for a connection, for each purpose above. @beyond 503 `temporarily_unavailable` at once */
export const MOST_WAITING_QUERIES = 500;
/** A pause within a transaction. @beyond PostgreSQL ends the transaction and releases its locks */
export const LONGEST_PAUSE_IN_TRANSACTION_MS = 10 * SECOND_MS;
/** After this time without traffic, the operating system probes the connection. */
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
  sandboxes: { ...SERVING, most: MOST_SANDBOX_CONNECTIONS },
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

/** `most` is the bound of `total`. */
export type ConnectionCounts = Readonly<Record<'most' | 'total' | 'idle' | 'waiting', number>>;

export interface ConnectionPool extends PostgresPool {
  counts(): ConnectionCounts;
}

/** A pool of connections to PostgreSQL. It connects on demand. */
export function connectionsTo(
  pg: typeof Pg,
  { url, schema }: ServerLocation,
  bounds: ConnectionBounds,
): ConnectionPool {
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
  // the pool replaces a broken connection and its query fails; without a listener, the error would end the process
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  // Kysely keeps what it knows about a connection by its object
  const wrapped = new WeakMap<Pg.PoolClient, PostgresPoolClient>();
  const wrap = (client: Pg.PoolClient) => {
    let known = wrapped.get(client);
    if (known === undefined) {
      known = lossNoticed(client, () => dropIdle(pool));
      wrapped.set(client, known);
    }
    return known;
  };
  return {
    connect: async () => {
      if (pool.waitingCount >= MOST_WAITING_QUERIES) {
        // PostgreSQL's own code for this, `too_many_connections`: see isUnavailable
        throw Object.assign(new Error('Too many queries wait for a connection to PostgreSQL'), { code: '53300' });
      }
      return wrap(await pool.connect());
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

/** A socket that closes without waiting for the other side. A peer that went silent never closes its side. */
function newSocket(): Socket {
  const socket = new Socket();
  return socket.once('finish', () => socket.destroy());
}

/**
 * Wraps a connection so that a lost one is closed. After a timeout, pg leaves the statement on the connection, and
 * later statements would wait behind it. So no later statement is sent, and the pool gets the connection back only to
 * close it.
 */
function lossNoticed(client: Pg.PoolClient, onLoss: () => void): PostgresPoolClient {
  let loss: Error | undefined;
  const query = async (statement: string, parameters: readonly unknown[]) => {
    if (loss !== undefined) throw loss;
    try {
      const name = preparedName(statement);
      return await client.query({ text: statement, values: [...parameters], ...(name !== undefined && { name }) });
    } catch (error) {
      if (error instanceof Error && error.message === 'Query read timeout') {
        loss = error;
        onLoss();
      }
      throw error;
    }
  };
  // Kysely's type also has cursors, which need another package
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release(loss) };
}

/**
 * Closes the idle connections: the cause of one silent connection probably affects all, and each would cost a timeout.
 */
function dropIdle(pool: Pg.Pool): void {
  for (let idle = pool.idleCount; idle > 0; idle--) {
    pool.connect().then(
      (client) => client.release(true),
      () => {},
    );
  }
}

/** Reads eight-byte integers as numbers: they are milliseconds and counts, far below 2^53. */
function parserOf({ builtins, getTypeParser }: typeof Pg.types): typeof Pg.types.getTypeParser {
  return (oid: number, format?: 'text' | 'binary') =>
    oid === builtins.INT8 ? Number : getTypeParser(oid, format as 'text');
}
