import cors from 'cors';
import type { RequestHandler } from 'express';
import { READABLE_HEADERS } from '../../generated/server.ts';

/** How long a browser remembers that it may send a request. Chromium remembers at most two hours. */
const PREFLIGHT_SECONDS = 2 * 60 * 60;
const LOCAL_HOST = /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * The origins whose pages may call the API: a list, `*` for all, or `localhost` for every origin of the visitor's own
 * machine.
 */
export type AllowedOrigins = readonly string[];

/**
 * Lets pages of other origins call the API, without cookies (Fetch standard, CORS). A page of an origin that is not
 * allowed gets no CORS headers, and its OPTIONS request is refused like any other.
 */
export function crossOrigin(allowed: AllowedOrigins): RequestHandler {
  return cors({
    origin: (origin, decide) => decide(null, origin !== undefined && isAllowed(origin, allowed) && origin),
    exposedHeaders: READABLE_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });
}

function isAllowed(origin: string, allowed: AllowedOrigins): boolean {
  return allowed.some((one) => one === '*' || one === origin || (one === 'localhost' && isLocal(origin)));
}

function isLocal(origin: string): boolean {
  return URL.canParse(origin) && LOCAL_HOST.test(new URL(origin).hostname);
}
