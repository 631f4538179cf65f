import type { Request, RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import { v4 } from 'uuid';
import type { Parts } from '../parts.ts';
import { callOf } from './call.ts';

/** Gives each request an id, sends it in X-Request-Id and Request-ID, and logs one line per request without credentials. */
export function requestLog({ logger }: Pick<Parts, 'logger'>): RequestHandler {
  return pinoHttp({
    logger,
    genReqId: (_req, res) => {
      const id = v4();
      for (const name of ['X-Request-Id', 'Request-ID']) res.setHeader(name, id);
      return id;
    },
    // no query, which can hold a home address; only characters of our own paths, since others could be a secret
    serializers: {
      req: ({ id, method, url }) => ({ id, method, path: /^[\w/.-]*/.exec(String(url))?.[0] }),
      res: ({ statusCode }) => ({ status: statusCode }),
    },
    customLogLevel: (req, res, error) => {
      // a failure that a sandbox asked for must not raise an alarm
      const isFault = res.statusCode >= 500 && !callOf(req as Request)?.failsAsAsked;
      return error || isFault ? 'error' : 'info';
    },
  });
}
