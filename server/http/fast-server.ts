import { createServer, IncomingMessage, type Server, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { Logger } from 'pino';
import { REQUEST_LIMITS } from '../../generated/server.ts';
import { SECOND_MS } from '../domain/time.ts';
import { answerParserErrors } from './parser-errors.ts';
import { originForm } from './request-target.ts';
import { markUnreadable, refusalOfHead } from './unreadable.ts';

/** How long a client may take, in milliseconds, and how much it may send before its body: bytes, and headers. */
export interface HttpLimits
  extends Required<
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
  // longer than the minute after which load balancers let go, or they would send into a connection that just closed
  keepAliveTimeout: 65 * SECOND_MS,
  maxHeaderSize: REQUEST_LIMITS.headBytes,
  maxHeaders: REQUEST_LIMITS.headers,
};

/**
 * An HTTP server whose messages have the app's prototypes from birth. Express sets them on every message otherwise, which
 * makes V8 drop its optimized shapes. The app gets everything that comes, as paths that it can route; what is no HTTP is marked with its refusal.
 */
export function createFastServer(app: Express, logger: Logger, limits: Partial<HttpLimits> = {}): Server {
  const { maxHeaders, ...times } = { ...LIMITS, ...limits };
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  makeTheAppsOwn(app, 'request', AppRequest.prototype);
  makeTheAppsOwn(app, 'response', AppResponse.prototype);
  const server = createServer({
    ...times,
    IncomingMessage: AppRequest,
    ServerResponse: AppResponse,
    // a second one of a header would be dropped in silence, and the first believed
    joinDuplicateHeaders: true,
    // node would answer without a body
    requireHostHeader: false,
  });
  const answer = (req: IncomingMessage, res: ServerResponse) => {
    const refusal = refusalOfHead(req, maxHeaders);
    if (refusal !== undefined) markUnreadable(req, refusal);
    req.url = originForm(req.url!);
    app(req, res);
  };
  answerParserErrors(server, answer, logger);
  // an expectation that we do not know may be ignored (RFC 9110, section 10.1.1)
  return server.on('request', answer).on('checkExpectation', answer);
}

/**
 * Puts the app's prototype behind another one, and gives the app that one to set on its messages: it is theirs already, so nothing is set.
 * `Reflect.construct` with the app's prototype would do too, but costs more than it saves.
 */
function makeTheAppsOwn(app: Express, kind: 'request' | 'response', prototype: object): void {
  Object.setPrototypeOf(prototype, app[kind]);
  Object.assign(app, { [kind]: prototype });
}
