import { describe, expect, test } from 'vitest';
import { CONSENT_PATHS } from '../../server/links.ts';
import { KEY_SIGNS_MS } from '../../server/signing-keys.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import {
  ADA,
  csrfTokenOn,
  MAYA,
  newcomer,
  pageOf,
  pathOfRequest,
  queryOfRequest,
  signedInVisitor,
} from '../support/consent.ts';
import { testServer } from '../support/started.ts';
import type { Visitor } from '../support/visitor.ts';

const COOKIE = 'ridehail_csrf';
const server = testServer('sqlite', { withPages: true, rateLimitMultiplier: 1000 });

const send = (visitor: Visitor, path: string, fields: Record<string, string>) =>
  visitor.post(`${path}?${queryOfRequest()}`, new URLSearchParams(fields));
/** The token of another browser. @param cookies get the cookie of that browser too */
const tokenOf = async (another: Promise<Visitor>, cookies?: Visitor['cookies']) => {
  const other = await another;
  cookies?.set(COOKIE, other.cookies.get(COOKIE)!);
  return csrfTokenOn(other.view());
};

/** How an attacker, or an old page, could come to a token. */
const TOKENS: readonly (readonly [what: string, tokenFor: (visitor: Visitor) => string | null | Promise<string>])[] = [
  ['no token', () => null],
  ['an empty one', () => ''],
  ['an invented one', () => `${'0'.repeat(64)}.${'0'.repeat(64)}`],
  ['a modified one', ({ view }) => csrfTokenOn(view()).replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
  ["another visitor's", () => tokenOf(newcomer(server.baseUrl))],
  ["another passenger's", () => tokenOf(signedInVisitor(server.baseUrl))],
  ['one from before the session began', ({ cookies }) => tokenOf(newcomer(server.baseUrl), cookies)],
  [
    'one without its cookie',
    ({ cookies, view }) => {
      cookies.delete(COOKIE);
      return csrfTokenOn(view());
    },
  ],
  [
    'an invented one with the same cookie',
    ({ cookies }) => {
      cookies.set(COOKIE, 'made.up');
      return 'made.up';
    },
  ],
];

describe.each<[path: string, fields: Record<string, string>]>([
  [CONSENT_PATHS.signIn, MAYA],
  [CONSENT_PATHS.signUp, ADA],
  [CONSENT_PATHS.signOut, {}],
  [CONSENT_PATHS.consent, { decision: 'allow' }],
])('a form to %s', (path, fields) => {
  test.each(TOKENS)('with %s is refused, and changes nothing', async (_, tokenFor) => {
    const visitor = await signedInVisitor(server.baseUrl);
    const token = await tokenFor(visitor);
    const cookies = new Map(visitor.cookies);
    const typed = token === null ? fields : { csrf_token: token, ...fields };
    const view = await changingNothing(server, () => send(visitor, path, typed));
    expect([view.status, view.redirects, view.title]).toEqual([403, [], 'This form has expired · Ridehail']);
    expect(view.headers.get('cache-control')).toBe('no-store');
    expect(visitor.cookies).toEqual(cookies);
  });

  test('without a token is refused before its query and its fields are read', async () => {
    const visitor = await newcomer(server.baseUrl);
    const view = await visitor.post(`${path}?client_id=stranger`, 'email=%00&email=');
    expect([view.status, view.title]).toEqual([403, 'This form has expired · Ridehail']);
  });
});

test('a page opened twice has two forms that both work', async () => {
  const visitor = await newcomer(server.baseUrl);
  const first = csrfTokenOn(visitor.view());
  await visitor.open(pathOfRequest());
  expect(pageOf(await send(visitor, CONSENT_PATHS.signIn, { csrf_token: first, ...MAYA }))).toBe('consent');
});

test('a form of the previous signing key is accepted, but not one of the key before that', async () => {
  for (const [turns, status] of [
    [1, 200],
    [2, 403],
  ] as const) {
    const visitor = await newcomer(server.baseUrl);
    for (let turn = 0; turn < turns; turn++) {
      server.passTime(KEY_SIGNS_MS);
      await server.parts.signingKeys.refresh();
    }
    expect((await visitor.submit(MAYA)).status).toBe(status);
  }
});
