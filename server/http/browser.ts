import { parseCookie } from 'cookie';
import { doubleCsrf } from 'csrf-csrf';
import type { CookieOptions, Request, Response } from 'express';
import { hashOf } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import { auditOf } from './audit.ts';
import type { Visitor } from './caller.ts';
import { networksOf } from './network.ts';
import { decoded } from './percent.ts';

/**
 * Accounts of one kind that a browser remembers. Few people share one browser.
 * @beyond the account that signed in longest ago no longer recognizes it
 * @heldBy tests/consent/throttle.test.ts
 */
const MOST_ACCOUNTS_KNOWN = 5;
/** A character that no token contains. */
const BETWEEN_TOKENS = '.';
export const CSRF_FIELD = 'csrf_token';

export const PASSENGER_COOKIES = {
  session: 'ridehail_session',
  device: 'ridehail_device',
  csrf: 'ridehail_csrf',
  /** The purpose for which the key is derived: a token signed for one kind of account is invalid for another. */
  csrfKey: 'csrf',
};

/** Cookie names for one kind of account, and the key that signs its CSRF tokens. */
export type CookieNames = Readonly<typeof PASSENGER_COOKIES>;

export const DEVELOPER_COOKIES: CookieNames = {
  session: 'ridehail_developer_session',
  device: 'ridehail_developer_device',
  csrf: 'ridehail_developer_csrf',
  csrfKey: 'developer csrf',
};

export type BrowserCookies = ReturnType<typeof browserCookies>;

/**
 * A browser's cookies for one kind of account: its session, its device token, and the CSRF token that proves a form is
 * ours. Scripts cannot read them. Other sites cannot send them with a form and, over https, cannot set them.
 */
export function browserCookies(
  { publicUrl, signingKeys, now, logger }: Pick<Parts, 'publicUrl' | 'signingKeys' | 'now' | 'logger'>,
  names: CookieNames,
) {
  const isSecure = publicUrl.startsWith('https:');
  const named = (name: string) => (isSecure ? `__Host-${name}` : name);
  // lax, not strict: the first request comes from the application's site
  const options: CookieOptions = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' };
  const sessionCookie = named(names.session);
  const sessionToken = (req: Request): string | undefined => req.cookies[sessionCookie];
  const deviceCookie = named(names.device);
  const csrfCookie = named(names.csrf);
  /** Latest first. */
  const deviceTokens = (req: Request): readonly string[] => {
    const tokens = (req.cookies[deviceCookie] ?? '').split(BETWEEN_TOKENS, MOST_ACCOUNTS_KNOWN);
    return tokens.filter((token: string) => token !== '');
  };
  const csrf = doubleCsrf({
    // the first key signs; all keys verify
    getSecret: () => signingKeys.valid().map((key) => key.derived(names.csrfKey).toString('base64')),
    getSessionIdentifier: (req) => sessionToken(req) ?? '',
    cookieName: csrfCookie,
    cookieOptions: { ...options, sameSite: 'lax' },
    getCsrfTokenFromRequest: (req) => req.body?.[CSRF_FIELD],
  });
  return {
    /** Parses a request's cookies. Call it before the other methods. */
    read: (req: Request): void => {
      // the library's own decoding would throw for values that are not percent-encoded
      req.cookies = parseCookie(req.headers.cookie ?? '', { decode: (value) => decoded(value) ?? value });
    },
    /** The visitor of a page. Calling its `csrfToken` sets a cookie. */
    visitor: (req: Request, res: Response): Visitor => {
      const token = sessionToken(req);
      // a second token would invalidate forms with the first one
      let csrfToken: string | undefined;
      return {
        networks: networksOf(req.ip),
        deviceHashes: deviceTokens(req).map(hashOf),
        sessionHash: token ? hashOf(token) : null,
        csrfToken: () => {
          csrfToken ??= csrf.generateCsrfToken(req, res);
          return csrfToken;
        },
        realNow: now(),
        audit: auditOf({ logger }, req),
      };
    },
    startSession: (res: Response, token: string, lifetimeMs: number): void => {
      res.cookie(sessionCookie, token, { ...options, maxAge: lifetimeMs });
    },
    /**
     * Lets the server recognize the browser at later sign-ins.
     * @param kept hashes of the device tokens that the cookie keeps; the oldest are dropped if there are too many
     */
    setDevice: (res: Response, token: string, kept: ReadonlySet<string>, lifetimeMs: number): void => {
      const others = deviceTokens(res.req).filter((other) => kept.has(hashOf(other)));
      const tokens = [token, ...others].slice(0, MOST_ACCOUNTS_KNOWN);
      res.cookie(deviceCookie, tokens.join(BETWEEN_TOKENS), { ...options, maxAge: lifetimeMs });
    },
    endSession: (res: Response): void => void res.clearCookie(sessionCookie, options),
    /** Whether the cookie is absent. Then no CSRF token is valid, and nobody has to read the body. */
    isForgedAnyway: (req: Request): boolean => req.cookies[csrfCookie] === undefined,
    /** Whether a form lacks a valid CSRF token. */
    isForged: (req: Request): boolean => !csrf.validateRequest(req),
  };
}
