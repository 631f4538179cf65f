import { IncomingMessage, type OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { Express, Request } from 'express';
import { REQUEST_LIMITS } from '../../generated/server.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { Parts } from '../parts.ts';
import { boundConnections, CONNECTION_DEFAULTS, type ConnectionLimits, type Connections } from './connections.ts';
import { Notes, notesOf } from './notes.ts';
import { answerParserErrors } from './parser-errors.ts';
import { logOf } from './request-log.ts';
import { hostInTarget, originForm } from './request-target.ts';
import { refusalOfHead } from './unreadable.ts';

/** Times are in milliseconds, `maxHeaderSize` in bytes; `maxHeaders` is a count. */
export type HttpLimits = ConnectionLimits &
  Readonly<Record<'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval' | 'keepAliveTimeout', number>> &
  Readonly<Record<'maxHeaderSize' | 'maxHeaders', number>>;

const LIMITS: HttpLimits = {
  headersTimeout: REQUEST_LIMITS.headSeconds * SECOND_MS,
  requestTimeout: REQUEST_LIMITS.seconds * SECOND_MS,
  /**
   * How often the server checks for slow requests.
   * @beyond a slow request ends this much later
   * @heldBy tests/http/edge-slow.test.ts
   */
  connectionsCheckingInterval: 5 * SECOND_MS,
  /**
   * Idle connection. Longer than the 60 s of load balancers, which would otherwise send to a closed connection.
   * @beyond it closes
   * @heldBy tests/http/edge-slow.test.ts
   */
  keepAliveTimeout: 65 * SECOND_MS,
  maxHeaderSize: REQUEST_LIMITS.headBytes,
  maxHeaders: REQUEST_LIMITS.headers,
  ...CONNECTION_DEFAULTS,
  writeTimeout: REQUEST_LIMITS.unreadSeconds * SECOND_MS,
};

/**
 * Creates requests and responses with the app's prototypes. Otherwise, Express sets the prototype of every message, and
 * V8 drops its optimized shapes. Every request reaches the app with a routable path, or marked as unreadable.
 */
export function createFastServer(
  app: Express,
  parts: Pick<Parts, 'logger' | 'publicUrl'>,
  limits: Partial<HttpLimits> = {},
): Server {
  const { maxHeaders, ...times } = { ...LIMITS, ...limits };
  class AppRequest extends IncomingMessage {
    readonly notes = new Notes();
    override get log() {
      return logOf(this as unknown as Request);
    }
  }
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, reason?: unknown, headers?: unknown): this {
      notesOf(this.req).onHead?.();
      return super.writeHead(status, reason as string, headers as OutgoingHttpHeaders);
    }
    override end(...body: unknown[]): this {
      super.end(...(body as []));
      if (this.writableLength > 0) notesOf(this.req).onUnread?.(this.req as never, this as never);
      return this;
    }
  }
  makeTheAppsOwn(app, 'request', AppRequest.prototype);
  makeTheAppsOwn(app, 'response', AppResponse.prototype);
  const server = new BoundedServer({
    ...times,
    IncomingMessage: AppRequest,
    ServerResponse: AppResponse,
    // otherwise, Node silently drops the second of two equal headers
    joinDuplicateHeaders: true,
    // Node would respond without a body
    requireHostHeader: false,
  });
  const answer = (req: IncomingMessage, res: ServerResponse) => {
    const refusal = refusalOfHead(req, maxHeaders);
    if (refusal !== undefined) notesOf(req).refusal = refusal;
    const host = hostInTarget(req.url!);
    if (host !== undefined) req.headers.host = host;
    req.url = originForm(req.url!);
    app(req, res);
  };
  server.bounds = boundConnections(server, times, parts.logger);
  answerParserErrors(server, answer, server.bounds, parts);
  // a server may ignore an unknown expectation (RFC 9110, section 10.1.1)
  return server.on('request', answer).on('checkExpectation', answer);
}

class BoundedServer extends Server {
  bounds?: Connections;

  /** Node's own method skips connections that it handed over after a CONNECT. */
  override closeAllConnections(): void {
    super.closeAllConnections();
    this.bounds?.endAll();
  }
}

/**
 * Makes `prototype` inherit from the app's and installs it in the app. Messages already have it, so Express changes
 * nothing.
 *
 * `Reflect.construct` with the app's prototype costs more than it saves.
 */
function makeTheAppsOwn(app: Express, kind: 'request' | 'response', prototype: object): void {
  Object.setPrototypeOf(prototype, app[kind]);
  Object.assign(app, { [kind]: prototype });
}
