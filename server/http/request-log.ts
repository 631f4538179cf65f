import type { Request, RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import { v4 } from 'uuid';
import type { Parts } from '../parts.ts';
import { callOf } from './call.ts';

/** Gives every request an id, tells it in the answer, and logs a line per request without anything that opens a door. */
export function requestLog({ logger }: Pick<Parts, 'logger'>): RequestHandler {
  return pinoHttp({
    logger,
    genReqId: (_req, res) => {
      const id = v4();
      res.setHeader('X-Request-Id', id);
      return id;
    },
    // a query can hold a place where someone lives, and what no path of ours has can be anything, a secret too
    serializers: {
      req: ({ id, method, url }) => ({ id, method, path: /^[\w/.-]*/.exec(String(url))?.[0] }),
      res: ({ statusCode }) => ({ status: statusCode }),
    },
    customLogLevel: (req, res, error) => {
      // whoever watches for errors is not to be woken by a sandbox that asks for one
      const isFault = res.statusCode >= 500 && !callOf(req as Request)?.failsAsAsked;
      return error || isFault ? 'error' : 'info';
    },
  });
}
