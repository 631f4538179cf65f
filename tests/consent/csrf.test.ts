import { describe, expect, test } from 'vitest';
import { CONSENT_PATHS } from '../../server/links.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { KEY_SIGNS_MS } from '../../server/signing-keys.ts';
import { findPassengerByEmail } from '../../server/store/passengers.ts';
import { findSession } from '../../server/store/sessions.ts';
import { OF_PASSENGERS } from '../../server/store/sign-in-tables.ts';
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
import { LIVE } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import type { Visitor } from '../support/visitor.ts';

const FORMS: [path: string, fields: Record<string, string>][] = [
  [CONSENT_PATHS.signIn, MAYA],
  [CONSENT_PATHS.signUp, ADA],
  [CONSENT_PATHS.signOut, {}],
  [CONSENT_PATHS.consent, { decision: 'allow' }],
];

const COOKIE = 'ridehail_csrf';
const server = testServer('sqlite', { withPages: true, rateLimitMultiplier: 1000 });

const send = (visitor: Visitor, path: string, fields: Record<string, string>) =>
  visitor.post(`${path}?${queryOfRequest()}`, new URLSearchParams(fields));

describe.each(FORMS)('a form to %s', (path, fields) => {
  const TOKENS: [string, (visitor: Visitor) => Promise<string | null>][] = [
    ['no token', async () => null],
    ['an empty one', async () => ''],
    ['an invented one', async () => `${'0'.repeat(64)}.${'0'.repeat(64)}`],
    [
      'a modified one',
      async (visitor) => csrfTokenOn(visitor.view()).replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ],
    ["another visitor's", async () => csrfTokenOn((await newcomer(server.baseUrl)).view())],
    [
      'one without its cookie',
      async ({ cookies, view }) => {
        cookies.delete(COOKIE);
        return csrfTokenOn(view());
      },
    ],
    [
      'an invented one with the same cookie',
      async ({ cookies }) => {
        cookies.set(COOKIE, 'made.up');
        return 'made.up';
      },
    ],
    ["another passenger's", async () => csrfTokenOn((await signedInVisitor(server.baseUrl)).view())],
  ];

  test.each(TOKENS)('with %s is refused, and changes nothing', async (_, tokenFor) => {
    const visitor = await signedInVisitor(server.baseUrl);
    const token = await tokenFor(visitor);
    const cookies = new Map(visitor.cookies);
    const view = await send(visitor, path, token === null ? fields : { csrf_token: token, ...fields });
    expect([view.status, view.redirects, view.title]).toEqual([403, [], 'This form has expired · Ridehail']);
    expect(view.headers.get('cache-control')).toBe('no-store');
    expect(visitor.cookies).toEqual(cookies);
    const session = cookies.get('ridehail_session')!.split(';')[0]!;
    expect(await findSession(server.store.db, OF_PASSENGERS, hashOf(session))).toBeDefined();
    expect(await findPassengerByEmail(server.store.db, LIVE.id, ADA.email)).toBeUndefined();
    // the request recorded no decision
    expect(pageOf(await visitor.open(pathOfRequest()))).toBe('consent');
  });

  test('with a token from before the session began is refused', async () => {
    const visitor = await newcomer(server.baseUrl);
    const before = csrfTokenOn(visitor.view());
    const cookie = visitor.cookies.get(COOKIE)!;
    await visitor.submit(MAYA);
    visitor.cookies.set(COOKIE, cookie);
    expect((await send(visitor, path, { csrf_token: before, ...fields })).status).toBe(403);
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
  const outcomeAfter = async (turns: number) => {
    const visitor = await newcomer(server.baseUrl);
    const csrf_token = csrfTokenOn(visitor.view());
    for (let turn = 0; turn < turns; turn++) {
      server.passTime(KEY_SIGNS_MS);
      await server.parts.signingKeys.refresh();
    }
    return (await send(visitor, CONSENT_PATHS.signIn, { csrf_token, ...MAYA })).status;
  };
  expect(await outcomeAfter(1)).toBe(200);
  expect(await outcomeAfter(2)).toBe(403);
});
