import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { type Intake, intakeOf } from './intake.ts';

export interface ConnectionLimits {
  /** Connections beyond this number are closed as soon as they are accepted. */
  readonly maxConnections: number;
  /** On one connection. The last response closes it. */
  readonly maxRequestsPerConnection: number;
  /** Unanswered requests on one connection. At this number, the server stops reading. */
  readonly maxPipelinedRequests: number;
  /** How long, in milliseconds, a response waits for its client to read more of it. */
  readonly writeTimeout: number;
}

export const CONNECTION_DEFAULTS = {
  maxConnections: 10_000,
  maxRequestsPerConnection: 1_000,
  maxPipelinedRequests: 16,
} as const;

export type Connections = ReturnType<typeof boundConnections>;

/** How long a client has to read the last response before the connection is cut. */
const LINGER_MS = 2 * SECOND_MS;

/** Limits the number of connections, the requests on each, and how long a response may stay unread. */
export function boundConnections(server: Server, limits: ConnectionLimits, logger: Logger) {
  const open = new Set<Intake>();
  server.maxConnections = limits.maxConnections;
  server.timeout = limits.writeTimeout;

  /** Called after the connection's timeout passes without a read or write. */
  const endIfStuck = (connection: Intake) => {
    const isHandlersTurn = connection.isAnswering && connection.writableLength === 0;
    if (isHandlersTurn) connection.setTimeout(limits.writeTimeout);
    else connection.destroy();
  };
  /** Does not cut the connection immediately: a client that is still sending could lose the response. */
  const leave = (connection: Intake): void => {
    connection.discard();
    connection.resume().end();
    setTimeout(() => connection.destroy(), LINGER_MS).unref();
  };
  const count = (req: IncomingMessage, res: ServerResponse) => {
    const connection = intakeOf(req.socket);
    if (connection.count(req, res) !== 'last') return;
    res.shouldKeepAlive = false;
    connection.destroySoon = () => leave(connection);
  };

  server.on('connection', (socket) => {
    const connection = intakeOf(socket);
    open.add(connection);
    connection.once('close', () => open.delete(connection));
  });
  server.on('request', count).on('checkExpectation', count);
  server.on('timeout', (socket) => endIfStuck(intakeOf(socket)));
  warnOfDropped(server, limits, logger);
  return {
    /** Stops reading requests from a connection. The next response is its last. */
    finish: (connection: Intake): void => {
      connection.stop();
      // after a CONNECT, Node has removed its own listener
      if (connection.listenerCount('timeout') === 0) connection.on('timeout', () => endIfStuck(connection));
      connection.setTimeout(limits.writeTimeout);
    },
    /** Closes a connection after its last response. */
    leave,
    /** Ends every connection, including those that Node hands over after a CONNECT. */
    endAll: (): void => {
      for (const connection of open) connection.destroy();
    },
  };
}

/** Logs at most once a minute: with a line per connection, clients could fill the log. */
function warnOfDropped(server: Server, { maxConnections }: ConnectionLimits, logger: Logger): void {
  let isTold = false;
  server.on('drop', () => {
    if (isTold) return;
    isTold = true;
    logger.warn({ maxConnections }, 'too many connections: new ones are closed');
    setTimeout(() => {
      isTold = false;
    }, MINUTE_MS).unref();
  });
}
