import { IncomingMessage, type OutgoingHttpHeaders, Server, type ServerOptions, ServerResponse } from 'node:http';
import type { Express, Request } from 'express';
import type { Logger } from 'pino';
import { REQUEST_LIMITS } from '../../generated/server.ts';
import { SECOND_MS } from '../domain/time.ts';
import { boundConnections, CONNECTION_DEFAULTS, type ConnectionLimits, type Connections } from './connections.ts';
import { Notes, notesOf } from './notes.ts';
import { answerParserErrors } from './parser-errors.ts';
import { logOf } from './request-log.ts';
import { hostInTarget, originForm } from './request-target.ts';
import { markUnreadable, refusalOfHead } from './unreadable.ts';

/** Times in milliseconds, `maxHeaderSize` in bytes, `maxHeaders` as a count. */
export interface HttpLimits
  extends ConnectionLimits,
    Required<
      Pick<
        ServerOptions,
        'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval' | 'keepAliveTimeout' | 'maxHeaderSize'
      >
    > {
  readonly maxHeaders: number;
}

const LIMITS: HttpLimits = {
  headersTimeout: REQUEST_LIMITS.headSeconds * SECOND_MS,
  requestTimeout: REQUEST_LIMITS.seconds * SECOND_MS,
  connectionsCheckingInterval: 5 * SECOND_MS,
  // longer than the 60 s idle timeout of load balancers, which would otherwise send into a closed connection
  keepAliveTimeout: 65 * SECOND_MS,
  maxHeaderSize: REQUEST_LIMITS.headBytes,
  maxHeaders: REQUEST_LIMITS.headers,
  ...CONNECTION_DEFAULTS,
  writeTimeout: REQUEST_LIMITS.unreadSeconds * SECOND_MS,
};

/**
 * Creates requests and responses with the app's prototypes. Otherwise Express sets them on every message, which makes
 * V8 drop its optimized shapes. Every request reaches the app with a path that it can route, or marked as unreadable.
 */
export function createFastServer(app: Express, logger: Logger, limits: Partial<HttpLimits> = {}): Server {
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
  }
  makeTheAppsOwn(app, 'request', AppRequest.prototype);
  makeTheAppsOwn(app, 'response', AppResponse.prototype);
  const server = new BoundedServer({
    ...times,
    IncomingMessage: AppRequest,
    ServerResponse: AppResponse,
    // otherwise node silently drops the second of two equal headers
    joinDuplicateHeaders: true,
    // node would answer without a body
    requireHostHeader: false,
  });
  const answer = (req: IncomingMessage, res: ServerResponse) => {
    const refusal = refusalOfHead(req, maxHeaders);
    if (refusal !== undefined) markUnreadable(req, refusal);
    const host = hostInTarget(req.url!);
    if (host !== undefined) req.headers.host = host;
    req.url = originForm(req.url!);
    app(req, res);
  };
  server.bounds = boundConnections(server, times, logger);
  answerParserErrors(server, answer, server.bounds, logger);
  // a server may ignore an unknown expectation (RFC 9110, section 10.1.1)
  return server.on('request', answer).on('checkExpectation', answer);
}

class BoundedServer extends Server {
  bounds?: Connections;

  /** Node's own leaves out the connections that it handed over after a CONNECT. */
  override closeAllConnections(): void {
    super.closeAllConnections();
    this.bounds?.endAll();
  }
}

/**
 * Makes `prototype` inherit from the app's and puts it in the app. Messages already have it, so Express sets nothing.
 * `Reflect.construct` with the app's prototype costs more than it saves.
 */
function makeTheAppsOwn(app: Express, kind: 'request' | 'response', prototype: object): void {
  Object.setPrototypeOf(prototype, app[kind]);
  Object.assign(app, { [kind]: prototype });
}
