import cors from 'cors';
import type { Request, RequestHandler } from 'express';
import { READABLE_HEADERS } from '../../generated/server.ts';
import { isLoopback } from '../domain/loopback.ts';

/** How long a browser caches a preflight response. Chromium caches for at most two hours. */
const PREFLIGHT_SECONDS = 2 * 60 * 60;

/**
 * Lets pages of the allowed origins call the API, without cookies (Fetch standard, CORS). Pages of other origins get no
 * CORS headers, and the server refuses their OPTIONS requests like any other.
 * @param allowed `*`: all; `localhost`: every origin on the visitor's own machine
 * @param isOurs whether a request addresses a host of this server; other requests are refused later
 */
export function crossOrigin(allowed: readonly string[], isOurs: (req: Request) => boolean): RequestHandler {
  const answer = cors<Request>((req, decide) => {
    const { origin } = req.headers;
    decide(null, {
      origin: origin !== undefined && isAllowed(origin, allowed) && isOurs(req) && origin,
      exposedHeaders: READABLE_HEADERS,
      maxAge: PREFLIGHT_SECONDS,
    });
  });
  return (req, res, next) => {
    // the library says so only to an allowed origin, and a cache could send that response to others
    res.vary('Origin');
    if (req.headers.origin === undefined) next();
    else answer(req, res, next);
  };
}

function isAllowed(origin: string, allowed: readonly string[]): boolean {
  const isLocal = URL.canParse(origin) && isLoopback(new URL(origin).hostname);
  return allowed.some((one) => one === '*' || one === origin || (one === 'localhost' && isLocal));
}
