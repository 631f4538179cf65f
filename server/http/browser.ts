import { hkdfSync } from 'node:crypto';
import { parseCookie } from 'cookie';
import { doubleCsrf } from 'csrf-csrf';
import type { CookieOptions, Request, Response } from 'express';
import { hashOf } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import type { Visitor } from './caller.ts';
import { networkOf } from './network.ts';

/** The name of the field with which a form brings its CSRF token back. */
export const CSRF_FIELD = 'csrf_token';

/** What a browser keeps for us: a session, and what proves that a form is one of ours. */
export interface BrowserCookies {
  /** Makes the cookies of a request known to the others; comes first. */
  read(req: Request): void;
  /** Who stands before the page that answers. The CSRF token of its forms sets a cookie when it is asked for. */
  visitor(req: Request, res: Response): Visitor;
  startSession(res: Response, sessionToken: string, lifetimeMs: number): void;
  endSession(res: Response): void;
  /** Whether a form came without the token of a page of ours. */
  isForged(req: Request): boolean;
}

/** Cookies that no script reads and no other site sends along with a form; behind https no other host can set them either. */
export function browserCookies({
  publicUrl,
  signingKey,
  now,
}: Pick<Parts, 'publicUrl' | 'signingKey' | 'now'>): BrowserCookies {
  const isSecure = publicUrl.startsWith('https:');
  const named = (name: string) => (isSecure ? `__Host-${name}` : name);
  // lax: the first request of all comes from the application's site
  const options: CookieOptions = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' };
  const sessionCookie = named('ridehail_session');
  const sessionToken = (req: Request): string | undefined => req.cookies[sessionCookie];
  // a key that signs one thing cannot be made to sign another
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
      req.cookies = parseCookie(req.headers.cookie ?? '');
    },
    visitor: (req, res) => {
      const token = sessionToken(req);
      return {
        // only a connection that is gone has no address
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
