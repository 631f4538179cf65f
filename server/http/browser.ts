import { hkdfSync } from 'node:crypto';
import { parseCookie } from 'cookie';
import { doubleCsrf } from 'csrf-csrf';
import type { CookieOptions, Request, Response } from 'express';
import { hashOf } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import type { Visitor } from './caller.ts';
import { networkOf } from './network.ts';
import { decoded } from './percent.ts';

/** The form field that sends the CSRF token back. */
export const CSRF_FIELD = 'csrf_token';

/** The cookies of a browser: its session, and the CSRF token that proves that a form is ours. */
export interface BrowserCookies {
  /** Parses the cookies of a request. Call it before the other methods. */
  read(req: Request): void;
  /** The visitor of a page. Calling its `csrfToken` sets a cookie. */
  visitor(req: Request, res: Response): Visitor;
  startSession(res: Response, sessionToken: string, lifetimeMs: number): void;
  endSession(res: Response): void;
  /** Whether a form lacks a valid CSRF token. */
  isForged(req: Request): boolean;
}

/** Scripts cannot read these cookies. Other sites cannot send them with a form and, over https, cannot set them. */
export function browserCookies({
  publicUrl,
  signingKey,
  now,
}: Pick<Parts, 'publicUrl' | 'signingKey' | 'now'>): BrowserCookies {
  const isSecure = publicUrl.startsWith('https:');
  const named = (name: string) => (isSecure ? `__Host-${name}` : name);
  // lax, not strict: the first request comes from the application's site
  const options: CookieOptions = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' };
  const sessionCookie = named('ridehail_session');
  const sessionToken = (req: Request): string | undefined => req.cookies[sessionCookie];
  // a key for this purpose only: a CSRF token can never pass as another signature
  const csrfKey = Buffer.from(hkdfSync('sha256', signingKey, '', 'csrf', 32)).toString('base64');
  const csrf = doubleCsrf({
    getSecret: () => csrfKey,
    getSessionIdentifier: (req) => sessionToken(req) ?? '',
    cookieName: named('ridehail_csrf'),
    cookieOptions: { ...options, sameSite: 'lax' },
    getCsrfTokenFromRequest: (req) => req.body?.[CSRF_FIELD],
  });
  return {
    read: (req) => {
      // the library's own decoding would throw for each value that is not percent-encoded
      req.cookies = parseCookie(req.headers.cookie ?? '', { decode: (value) => decoded(value) ?? value });
    },
    visitor: (req, res) => {
      const token = sessionToken(req);
      return {
        // the address is undefined only if the connection has closed
        network: networkOf(req.ip ?? ''),
        sessionHash: token ? hashOf(token) : null,
        csrfToken: () => csrf.generateCsrfToken(req, res),
        realNow: now(),
      };
    },
    startSession: (res, token, lifetimeMs) => void res.cookie(sessionCookie, token, { ...options, maxAge: lifetimeMs }),
    endSession: (res) => void res.clearCookie(sessionCookie, options),
    isForged: (req) => !csrf.validateRequest(req),
  };
}
