import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { type Intake, takeIn } from './intake.ts';

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

export function boundConnections(server: Server, limits: ConnectionLimits, logger: Logger) {
  const intakes = new Map<Socket, Intake>();
  server.maxConnections = limits.maxConnections;
  server.timeout = limits.writeTimeout;

  /** Called after the socket's timeout passes without a read or write. */
  const endIfStuck = (socket: Socket) => {
    const isHandlersTurn = intakes.get(socket)?.isAnswering() && socket.writableLength === 0;
    if (isHandlersTurn) socket.setTimeout(limits.writeTimeout);
    else socket.destroy();
  };
  /**
   * Closes a connection after its last response. Does not cut it immediately: a client that is still sending could lose
   * the response.
   */
  const leave = (socket: Socket): void => {
    intakes.get(socket)?.discard();
    socket.resume().end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
  const count = (req: IncomingMessage, res: ServerResponse) => {
    if (intakes.get(req.socket)?.count(req, res) === 'last') res.shouldKeepAlive = false;
  };

  server.on('connection', (socket) => {
    intakes.set(socket, takeIn(socket, limits));
    socket.once('close', () => intakes.delete(socket));
    // Node calls this after the last response
    socket.destroySoon = () => leave(socket);
  });
  server.on('request', count).on('checkExpectation', count);
  server.on('timeout', endIfStuck);
  warnOfDropped(server, limits, logger);
  return {
    /** Stops reading requests from a connection. The next response is its last. */
    finish: (socket: Socket): void => {
      intakes.get(socket)?.close();
      // after a CONNECT, Node has removed its own listener
      if (socket.listenerCount('timeout') === 0) socket.on('timeout', () => endIfStuck(socket));
      socket.setTimeout(limits.writeTimeout);
    },
    leave,
    /** Ends every connection, including those that Node hands over after a CONNECT. */
    endAll: (): void => {
      for (const socket of intakes.keys()) socket.destroy();
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
