import { describe, expect, test } from 'vitest';
import { DEMO, DEMO_PASSENGERS } from '../../server/demo.ts';
import { HOUR_MS } from '../../server/domain/time.ts';
import { CONSENT_PATHS } from '../../server/links.ts';
import { hashPassword } from '../../server/oauth/passwords.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { findDevices } from '../../server/store/devices.ts';
import type { Queries } from '../../server/store/schema.ts';
import { findSession, insertSession } from '../../server/store/sessions.ts';
import { OF_PASSENGERS } from '../../server/store/sign-in-tables.ts';
import {
  csrfTokenOn,
  MAYA,
  newcomer,
  pageOf,
  pathOfRequest,
  queryOfRequest,
  signedInVisitor,
} from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { startTestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { newVisitor, type View } from '../support/visitor.ts';

const SESSION = 'ridehail_session';
const DEVICE = 'ridehail_device';
const findDevice = async (db: Queries, hash: string) => (await findDevices(db, OF_PASSENGERS, [hash]))[0];
const FORM = 'application/x-www-form-urlencoded';
const NOTHING_ENTERED = 'Enter your email and password.';
const NOT_RIGHT = 'Wrong email or password. Try again.';
const escaped = (text: string) => text.replaceAll("'", '&#39;');
const tokenOf = (cookie: string | undefined) => String(cookie).split(';')[0]!;

describe.each(engines)('on %s', (engine) => {
  // as in production: a development server shows the password of the demo passengers
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000, hasDemo: false });

  const sessionAt = (token: string) => findSession(server.store.db, OF_PASSENGERS, hashOf(token));

  test('the right password leads to the consent page', async () => {
    for (const email of [MAYA.email, ' Maya@Example.COM ', 'MAYA@EXAMPLE.COM']) {
      const view = await (await newcomer(server.baseUrl)).submit({ ...MAYA, email });
      expect(view.redirects).toEqual([{ status: 303, location: pathOfRequest() }]);
      expect([view.status, pageOf(view)]).toEqual([200, 'consent']);
      expect(view.text).toContain('Maya Okafor');
    }
  });

  test('a session is an HttpOnly cookie for a day, and only its hash is stored', async () => {
    const visitor = await signedInVisitor(server.baseUrl);
    const [token, ...attributes] = visitor.cookies.get(SESSION)!.split('; ');
    expect(token).toMatch(/^[\w-]{43}$/);
    const lasting = attributes.filter((attribute) => !attribute.startsWith('Expires'));
    expect(lasting.sort()).toEqual(['HttpOnly', 'Max-Age=86400', 'Path=/', 'SameSite=Lax']);
    expect(await findSession(server.store.db, OF_PASSENGERS, token!)).toBeUndefined();
    const now = server.parts.now();
    expect(await sessionAt(token!)).toMatchObject({ signedInAt: now, expiresAt: now + 24 * HOUR_MS });
  });

  test('a browser is recognized by an HttpOnly cookie for half a year, which is new with each sign-in', async () => {
    const visitor = await signedInVisitor(server.baseUrl);
    const [token, ...attributes] = visitor.cookies.get(DEVICE)!.split('; ');
    const lasting = attributes.filter((attribute) => !attribute.startsWith('Expires'));
    expect(lasting.sort()).toEqual(['HttpOnly', `Max-Age=${180 * 86_400}`, 'Path=/', 'SameSite=Lax']);
    expect(await findDevice(server.store.db, token!)).toBeUndefined();
    const now = server.parts.now();
    const { id } = DEMO_PASSENGERS[0]!;
    const kept = { accountId: id, signedInAt: now, expiresAt: now + 180 * 24 * HOUR_MS };
    expect(await findDevice(server.store.db, hashOf(token!))).toMatchObject(kept);
    await visitor.submit({}, CONSENT_PATHS.signOut);
    await visitor.submit(MAYA);
    expect(tokenOf(visitor.cookies.get(DEVICE))).not.toBe(token);
    expect(await findDevice(server.store.db, hashOf(token!))).toBeUndefined();
  });

  /** The headers and the markup that all wrong credentials get, without what was typed. */
  const refusals = new Set<string>();
  test.each([
    ['another password', { password: 'correct horse battery stable' }],
    ['the password in capitals', { password: MAYA.password.toUpperCase() }],
    ['the password with a space', { password: `${MAYA.password} ` }],
    ['an unknown email', { email: 'nobody@example.com' }],
    ['an email of 900 letters', { email: 'e'.repeat(900) }],
    ['text that is not an email', { email: "' or 1=1 --" }],
    ['a password of 1000 letters', { password: 'p'.repeat(1000) }],
  ])('%s gets the same response: the page again, with one message', async (_, change) => {
    const visitor = await newcomer(server.baseUrl);
    const typed = { ...MAYA, ...change };
    const view = await visitor.submit(typed);
    expect([view.status, pageOf(view), view.redirects]).toEqual([422, 'sign-in', []]);
    expect(view.text).toContain(NOT_RIGHT);
    expect(visitor.cookies.has(SESSION)).toBe(false);
    const field = (name: string) => view.forms.flatMap(({ fields }) => fields).find((each) => each.name === name);
    expect([field('email')?.value, field('password')?.value]).toEqual([typed.email, '']);
    expect(view.markup).not.toContain(typed.password);
    const email = escaped(typed.email);
    const markup = view.markup.replaceAll(email, 'EMAIL').replace(/value="[\da-f.]+"/, 'TOKEN');
    refusals.add(JSON.stringify([[...view.headers.keys()].sort(), markup]));
    expect(refusals.size).toBe(1);
    expect(pageOf(await visitor.submit(MAYA))).toBe('consent');
  });

  test.each([{ email: '' }, { password: '' }, { email: '  ' }])('with %o, no sign-in is tried', async (change) => {
    const view = await (await newcomer(server.baseUrl)).submit({ ...MAYA, ...change });
    expect([view.status, pageOf(view)]).toEqual([422, 'sign-in']);
    expect(view.text).toContain(NOTHING_ENTERED);
  });

  test('passengers of a sandbox cannot sign in to give consent', async () => {
    const world = await server.newWorld();
    const passwordHash = await hashPassword(MAYA.password);
    const { email } = await server.newPassenger(world, { email: 'sandy@example.com', passwordHash });
    const view = await (await newcomer(server.baseUrl)).submit({ ...MAYA, email });
    expect([view.status, pageOf(view)]).toEqual([422, 'sign-in']);
  });

  test('an earlier session of the browser is deleted, and its cookie is replaced', async () => {
    const visitor = newVisitor(server.baseUrl);
    const now = server.parts.now();
    // with a valid session the server would not show the sign-in page
    const expired = { tokenHash: hashOf('old'), accountId: 'somebody', signedInAt: now - 1, expiresAt: now };
    await insertSession(server.store.db, OF_PASSENGERS, expired);
    visitor.cookies.set(SESSION, 'old');
    await visitor.open(pathOfRequest());
    expect(pageOf(await visitor.submit(MAYA))).toBe('consent');
    const token = tokenOf(visitor.cookies.get(SESSION));
    expect(token).not.toBe('old');
    expect(await sessionAt('old')).toBeUndefined();
    expect(await sessionAt(token)).toBeDefined();
  });

  test('after 24 hours, the passenger has to sign in again', async () => {
    const visitor = await signedInVisitor(server.baseUrl);
    server.passTime(24 * HOUR_MS - 1);
    expect(pageOf(await visitor.open(pathOfRequest()))).toBe('consent');
    server.passTime(1);
    expect(pageOf(await visitor.open(pathOfRequest()))).toBe('sign-in');
  });

  test('“Not you?” ends the session, including every copy of its cookie, and asks to sign in', async () => {
    const visitor = await signedInVisitor(server.baseUrl);
    const token = tokenOf(visitor.cookies.get(SESSION));
    const view = await visitor.submit({}, CONSENT_PATHS.signOut);
    expect(view.redirects).toEqual([{ status: 303, location: pathOfRequest() }]);
    expect([view.status, pageOf(view)]).toEqual([200, 'sign-in']);
    expect(visitor.cookies.has(SESSION)).toBe(false);
    expect(await sessionAt(token)).toBeUndefined();
    const thief = newVisitor(server.baseUrl);
    thief.cookies.set(SESSION, token);
    expect(pageOf(await thief.open(pathOfRequest()))).toBe('sign-in');
    expect(pageOf(await visitor.submit({ ...MAYA, email: 'leo@example.com' }))).toBe('consent');
    expect(visitor.view().text).toContain('Leo Brandt');
  });
});

describe('a form', () => {
  const server = testServer('sqlite', { withPages: true, rateLimitMultiplier: 1000 });

  const signIn = `${CONSENT_PATHS.signIn}?${queryOfRequest()}`;
  /** Posts a body that no form sends, with a valid CSRF token. */
  const post = async (body: string, headers?: Record<string, string>) => {
    const visitor = await newcomer(server.baseUrl);
    const token = csrfTokenOn(visitor.view());
    return visitor.post(signIn, `csrf_token=${token}&${body}`, headers);
  };

  /** Posts the fields of all forms to each path, as a signed-in visitor. */
  const postToAll = async (query: string) => {
    const visitor = await signedInVisitor(server.baseUrl);
    const body = new URLSearchParams({ csrf_token: csrfTokenOn(visitor.view()), ...MAYA, decision: 'allow' });
    const views: View[] = [];
    for (const path of Object.values(CONSENT_PATHS)) views.push(await visitor.post(`${path}?${query}`, body));
    return views;
  };

  test.each([CONSENT_PATHS.signIn, CONSENT_PATHS.consent])('at %s redirects to the authorization', async (path) => {
    const query = `${queryOfRequest()}&unknown=%2f%0d%0a&x`;
    const view = await newVisitor(server.baseUrl).open(`${path}?${query}`);
    expect(view.redirects).toEqual([{ status: 303, location: `${pathOfRequest().split('?')[0]}?${query}` }]);
    expect(pageOf(view)).toBe('sign-in');
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    '@evil.example',
    '?//evil.example',
    '%0d%0aLocation:%20https://evil.example',
    'redirect_uri=https://evil.example',
    'client_id=demo&redirect_uri=//evil.example',
    `${queryOfRequest()}&redirect_uri=https://evil.example`,
    '#https://evil.example',
    '',
  ])('with the query %s does not redirect elsewhere', async (query) => {
    for (const path of [CONSENT_PATHS.signIn, CONSENT_PATHS.consent]) {
      const response = await fetch(`${server.baseUrl}${path}?${query}`, { redirect: 'manual' });
      const target = new URL(response.headers.get('location')!, server.baseUrl);
      const from = pathOfRequest().split('?')[0];
      expect([response.status, target.origin, target.pathname]).toEqual([303, server.baseUrl, from]);
    }
    for (const view of await postToAll(query)) {
      expect([view.status, view.redirects, view.location]).toEqual([400, [], null]);
    }
  });

  const ALL = queryOfRequest();
  const ambiguous = (name: string, problem: string) => ({
    error: 'invalid_request',
    error_description: `The parameter ${name} ${problem}.`,
  });
  test.each([
    ['an unknown scope', queryOfRequest({ scope: 'everything' }), { error: 'invalid_scope', state: 'state-1' }],
    ['two scopes', `${ALL}&scope=public`, ambiguous('scope', 'must be sent only once')],
    ['two types', `${ALL}&response_type=code`, ambiguous('response_type', 'must be sent only once')],
    ['two states', `${ALL}&state=state-2`, ambiguous('state', 'must be sent only once')],
    [
      'an unreadable challenge',
      `${ALL}&code_challenge=%ff`,
      ambiguous('code_challenge', 'must be percent-encoded UTF-8'),
    ],
  ])('of an application that sends %s returns to it with an error', async (_, query, expected) => {
    const stranger = newVisitor(server.baseUrl);
    for (const { status, location } of [
      await stranger.open(`${CONSENT_PATHS.signUp}?${query}`),
      ...(await postToAll(query)),
    ]) {
      expect([status, location?.origin]).toEqual([302, 'http://localhost:8080']);
      expect(Object.fromEntries(location!.searchParams)).toMatchObject(expected);
    }
    expect(stranger.cookies.has(SESSION)).toBe(false);
  });

  test('has responses that a browser must not store', async () => {
    const visitor = await newcomer(server.baseUrl);
    const Cookie = `ridehail_csrf=${tokenOf(visitor.cookies.get('ridehail_csrf'))}`;
    const body = new URLSearchParams({ csrf_token: csrfTokenOn(visitor.view()), ...MAYA });
    for (const [status, path, init] of [
      [303, `${CONSENT_PATHS.consent}?${queryOfRequest()}`, {}],
      [303, signIn, { method: 'POST', body, headers: { Cookie } }],
      [302, `${CONSENT_PATHS.signUp}?${queryOfRequest({ scope: 'everything' })}`, {}],
    ] as const) {
      const answer = await fetch(server.baseUrl + path, { ...init, redirect: 'manual' });
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, status, 'no-store']);
    }
  });

  const fields = new URLSearchParams(MAYA).toString();
  test.each([
    ['a field twice', `${fields}&email=leo%40example.com`, 'The field email was sent more than once.'],
    ['a field as a list', `${fields}&password[]=x`, null],
    ['only a list', 'email[]=maya%40example.com&password=x', NOTHING_ENTERED],
    ['NUL', 'email=maya%00&password=x', 'The field email contains characters that cannot be stored.'],
    ['NUL in the password', 'email=maya&password=%00', 'The field password contains characters that cannot be stored.'],
    ['a long field', `email=${'x'.repeat(1001)}&password=x`, 'The field email is too long.'],
    ['a long password', `email=maya%40example.com&password=${'x'.repeat(1001)}`, 'The field password is too long.'],
    ['half a surrogate pair', 'email=%ed%a0%80&password=x', 'The form is malformed. Go back and submit it again.'],
    ['an invalid escape', 'email=%zz&password=%', 'The form is malformed. Go back and submit it again.'],
    ['Latin-1', 'email=%e4&password=%e4', 'The form is malformed. Go back and submit it again.'],
    ['the Unicode replacement character', 'email=%ef%bf%bd&password=%25', NOT_RIGHT],
    ['names of object properties', '__proto__=x&constructor=y&toString=z&hasOwnProperty=1', NOTHING_ENTERED],
  ])('with %s is never a server error', async (_, body, sentence) => {
    const view = await post(body);
    if (sentence === null) return expect(pageOf(view)).toBe('consent');
    expect(view.text).toContain(sentence);
    expect([400, 422]).toContain(view.status);
  });

  test.each<[what: string, body: string, headers: object, status: number, sentence: string]>([
    ['too large', `${fields}&x=${'x'.repeat(33_000)}`, {}, 413, 'The form is too large.'],
    ['of too many fields', `${fields}${'&a=1'.repeat(50)}`, {}, 413, 'The form is too large.'],
    [
      'in another charset',
      fields,
      { 'Content-Type': `${FORM}; charset=utf-16` },
      400,
      'The form is malformed. Go back and submit it again.',
    ],
    ...['zebra', 'gzip', 'deflate', 'br'].map((coding): [string, string, object, number, string] => [
      `in the encoding ${coding}`,
      fields,
      { 'Content-Encoding': coding },
      415,
      'The form has a Content-Encoding. Send it without one.',
    ]),
    ['of another type', fields, { 'Content-Type': 'text/plain' }, 403, 'You opened it too long ago'],
    ['in JSON', fields, { 'Content-Type': 'application/json' }, 403, 'You opened it too long ago'],
  ])('that is %s gets a page', async (_, body, headers, status, sentence) => {
    const view = await post(body, headers as Record<string, string>);
    expect([view.status, view.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(view.text).toContain(sentence);
  });
});

test('behind https, the cookies are secure, and for this host only', async () => {
  const server = await startTestServer('sqlite', { withPages: true, publicUrl: 'https://rides.example' });
  const visitor = await signedInVisitor(server.baseUrl);
  expect(pageOf(visitor.view())).toBe('consent');
  const names = ['csrf', 'device', 'session'].map((name) => `__Host-ridehail_${name}`);
  expect([...visitor.cookies.keys()].sort()).toEqual(names);
  for (const cookie of visitor.cookies.values()) expect(cookie).toMatch(/Path=\/;.*HttpOnly; Secure; SameSite=Lax/);
  await server.close();
});

describe.each([true, false])('a server that has the demo: %s', (hasDemo) => {
  const server = testServer('sqlite', { withPages: true, hasDemo });

  test('shows the demo passengers and their password only then', async () => {
    const visitor = await newcomer(server.baseUrl);
    const typed = { email: 'nobody@example.com', password: 'not the password' };
    for (const { text } of [visitor.view(), await visitor.submit(typed)]) {
      const shown = [...DEMO_PASSENGERS.map(({ email }) => email), DEMO.password].map((fact) => text.includes(fact));
      expect(new Set(shown)).toEqual(new Set([hasDemo]));
    }
  });
});
