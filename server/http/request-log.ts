import type { RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import { v4 } from 'uuid';
import type { Parts } from '../parts.ts';

/** Gives every request an id, tells it in the answer, and logs a line per request without anything that opens a door. */
export function requestLog({ logger }: Parts): RequestHandler {
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
    customLogLevel: (_req, res, error) => (error || res.statusCode >= 500 ? 'error' : 'info'),
  });
}
