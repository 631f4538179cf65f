import type { Request, RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import { v4 } from 'uuid';
import { loggedError } from '../log.ts';
import type { Parts } from '../parts.ts';
import { callOf } from './call.ts';

/** Ids of proxies are UUIDs or as long. */
const MOST_PROXY_ID_CHARACTERS = 64;
const PROXY_ID = /^[\w.-]+$/;

/**
 * Gives each request an id, sends it in X-Request-Id and Request-ID, and logs one line per request without credentials.
 * An id that the request brings never takes its place: two requests could have the same one.
 */
export function requestLog({ logger }: Pick<Parts, 'logger'>): RequestHandler {
  return pinoHttp({
    logger,
    genReqId: (_req, res) => {
      const id = v4();
      for (const name of ['X-Request-Id', 'Request-ID']) res.setHeader(name, id);
      return id;
    },
    wrapSerializers: false,
    // no path: the id of a ride leads to its map, and whatever a client typed could be a secret
    serializers: {
      req: (req: Request) => ({ id: req.id, proxyId: proxyIdOf(req), method: req.method }),
      res: ({ statusCode }) => ({ status: statusCode }),
      err: (error: unknown) => loggedError(error),
    },
    customSuccessObject: (req, _res, line) => ({ ...line, route: routeOf(req as Request) }),
    customErrorObject: (req, _res, _error, line) => ({ ...line, route: routeOf(req as Request) }),
    customLogLevel: (req, res, error) => {
      // a failure that a sandbox asked for must not raise an alarm
      const isFault = res.statusCode >= 500 && !callOf(req as Request)?.failsAsAsked;
      return error || isFault ? 'error' : 'info';
    },
  });
}

/** The pattern of the path, as the contract writes it; null if no route takes the request. Known once it is answered. */
function routeOf({ route }: Request): string | null {
  return route ? String(route.path).replace(/:(\w+)/g, '{$1}') : null;
}

/** The X-Request-Id of a trusted proxy, by which its log and ours can be compared. A stranger's could be anything. */
function proxyIdOf(req: Request): string | undefined {
  const sent = req.headers['x-request-id'];
  if (typeof sent !== 'string' || sent.length > MOST_PROXY_ID_CHARACTERS || !PROXY_ID.test(sent)) return undefined;
  const isTrusted: (address: string, hops: number) => boolean = req.app.get('trust proxy fn');
  return isTrusted(req.socket.remoteAddress ?? '', 0) ? sent : undefined;
}
