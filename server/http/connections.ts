import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { type Intake, takeIn } from './intake.ts';

/** What the connections of a server may hold. */
export interface ConnectionLimits {
  /** Further ones are closed as soon as they are accepted. */
  readonly maxConnections: number;
  /** On one connection. The last response closes it. */
  readonly maxRequestsPerConnection: number;
  /** On one connection, without their whole response. While there are so many, the server reads no further one. */
  readonly maxPipelinedRequests: number;
  /** Milliseconds for which a response waits until its client takes a further part of it. */
  readonly writeTimeout: number;
}

export const CONNECTION_DEFAULTS = {
  maxConnections: 10_000,
  maxRequestsPerConnection: 1_000,
  maxPipelinedRequests: 16,
} as const;

export interface Connections {
  /** Reads no more requests from a connection. What follows on it is its last response. */
  finish(socket: Socket): void;
  /** Closes a connection that has its last response. */
  leave(socket: Socket): void;
  /** Ends every connection, those included that node no longer knows after a CONNECT. */
  endAll(): void;
}

/** How long a client has to read the last response before the connection is cut. */
const LINGER_MS = 2 * SECOND_MS;

/** Bounds how many connections a server has, how much each asks at once, and how long it may leave a response unread. */
export function boundConnections(server: Server, limits: ConnectionLimits, logger: Logger): Connections {
  const intakes = new Map<Socket, Intake>();
  server.maxConnections = limits.maxConnections;
  server.timeout = limits.writeTimeout;

  /** Called when nothing was read, and nothing written, for the time to which the socket was set. */
  const endIfStuck = (socket: Socket) => {
    const isHandlersTurn = intakes.get(socket)?.isAnswering() && socket.writableLength === 0;
    if (isHandlersTurn) socket.setTimeout(limits.writeTimeout);
    else socket.destroy();
  };
  /** Does not cut the connection at once: while the client is still sending, it could lose the response. */
  const leave = (socket: Socket) => {
    intakes.get(socket)?.discard();
    socket.resume().end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
  const count = (req: IncomingMessage, res: ServerResponse) => {
    if (intakes.get(req.socket)?.count(req, res) !== 'last') return;
    res.shouldKeepAlive = false;
    // node calls it after such a response
    req.socket.destroySoon = () => leave(req.socket);
  };

  server.on('connection', (socket) => {
    intakes.set(socket, takeIn(socket, limits));
    socket.once('close', () => intakes.delete(socket));
  });
  server.on('request', count).on('checkExpectation', count);
  server.on('timeout', endIfStuck);
  warnOfDropped(server, limits, logger);
  return {
    finish: (socket) => {
      intakes.get(socket)?.close();
      // node has taken its own listener away after a CONNECT
      if (socket.listenerCount('timeout') === 0) socket.on('timeout', () => endIfStuck(socket));
      socket.setTimeout(limits.writeTimeout);
    },
    leave,
    endAll: () => {
      for (const socket of intakes.keys()) socket.destroy();
    },
  };
}

/** Once a minute: a line for each connection would let clients fill the log. */
function warnOfDropped(server: Server, { maxConnections }: ConnectionLimits, logger: Logger): void {
  let isTold = false;
  server.on('drop', () => {
    if (isTold) return;
    isTold = true;
    logger.warn({ maxConnections }, 'new connections are dropped, because there are too many');
    setTimeout(() => {
      isTold = false;
    }, MINUTE_MS).unref();
  });
}
