import { describe, expect, test } from 'vitest';
import { DEMO_PASSENGERS } from '../../server/demo.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { CONSENT_PATHS } from '../../server/links.ts';
import { hashPassword } from '../../server/oauth/passwords.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { KEY_SIGNS_MS } from '../../server/signing-keys.ts';
import { findDevices } from '../../server/store/devices.ts';
import { findSession } from '../../server/store/sessions.ts';
import { OF_PASSENGERS } from '../../server/store/sign-in-tables.ts';
import { fieldValue } from '../portal/applications-support.ts';
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
import { newVisitor, type View, type Visitor } from '../support/visitor.ts';

const SESSION = 'ridehail_session';
const DEVICE = 'ridehail_device';
const DEMO_ORIGIN = 'http://localhost:8080';
const NOTHING_ENTERED = 'Enter your email and password.';
const NOT_RIGHT = 'Wrong email or password. Try again.';
const tokenOf = ({ cookies }: Visitor, name: string) => cookies.get(name)!.split(';')[0]!;

describe.each(engines)('on %s', (engine) => {
  // as in production: a development server shows the password of the demo passengers
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000, hasDemo: false });

  const sessionAt = (hash: string) => findSession(server.store.db, OF_PASSENGERS, hash);
  const deviceAt = async (hash: string) => (await findDevices(server.store.db, OF_PASSENGERS, [hash]))[0];

  test('the right password leads to the consent page', async () => {
    for (const email of [MAYA.email, ' Maya@Example.COM ', 'MAYA@EXAMPLE.COM']) {
      const view = await (await newcomer(server.baseUrl)).submit({ ...MAYA, email });
      expect(view.redirects).toEqual([{ status: 303, location: pathOfRequest() }]);
      expect([view.status, pageOf(view)]).toEqual([200, 'consent']);
      expect(view.text).toContain('Maya Okafor');
    }
  });

  test('a session lasts a day, and a browser is known for half a year, by HttpOnly cookies whose hashes are stored', async () => {
    const visitor = await signedInVisitor(server.baseUrl);
    const signedInAt = server.parts.now();
    const { id: accountId } = DEMO_PASSENGERS[0]!;
    for (const [name, days, stored] of [
      [SESSION, 1, sessionAt],
      [DEVICE, 180, deviceAt],
    ] as const) {
      const [token = '', ...attributes] = visitor.cookies.get(name)!.split('; ');
      expect(token).toMatch(/^[\w-]{43}$/);
      const lasting = attributes.filter((attribute) => !attribute.startsWith('Expires'));
      expect(lasting.sort()).toEqual(['HttpOnly', `Max-Age=${days * 86_400}`, 'Path=/', 'SameSite=Lax']);
      expect(await stored(token)).toBeUndefined();
      expect(await stored(hashOf(token))).toMatchObject({
        accountId,
        signedInAt,
        expiresAt: signedInAt + days * DAY_MS,
      });
    }
    const device = tokenOf(visitor, DEVICE);
    await visitor.submit({}, CONSENT_PATHS.signOut);
    await visitor.submit(MAYA);
    expect(tokenOf(visitor, DEVICE)).not.toBe(device);
    expect(await deviceAt(hashOf(device))).toBeUndefined();
  });

  test.each([
    ['another password', { password: 'correct horse battery stable' }],
    ['the password in capitals', { password: MAYA.password.toUpperCase() }],
    ['the password with a space', { password: `${MAYA.password} ` }],
    ['an unknown email', { email: 'nobody@example.com' }],
    ['an email of 900 letters', { email: 'e'.repeat(900) }],
    ['text that is not an email', { email: "' or 1=1 --" }],
    ['a password of 1000 letters', { password: 'p'.repeat(1000) }],
  ])('%s gets the same response as a wrong password: the page again, with one message', async (_, change) => {
    const [refused, other] = [
      { ...MAYA, ...change },
      { ...MAYA, password: 'not the password' },
    ];
    const said: unknown[] = [];
    for (const typed of [refused, other]) {
      const visitor = await newcomer(server.baseUrl);
      const view = await visitor.submit(typed);
      expect([view.status, pageOf(view), view.redirects]).toEqual([422, 'sign-in', []]);
      expect(view.text).toContain(NOT_RIGHT);
      expect(visitor.cookies.has(SESSION)).toBe(false);
      expect([fieldValue(view, 'email'), fieldValue(view, 'password')]).toEqual([typed.email, '']);
      expect(view.markup).not.toContain(typed.password);
      const email = typed.email.replaceAll("'", '&#39;');
      const markup = view.markup.replaceAll(email, 'EMAIL').replace(csrfTokenOn(view), 'TOKEN');
      said.push([[...view.headers.keys()].sort(), markup]);
      expect(pageOf(await visitor.submit(MAYA))).toBe('consent');
    }
    expect(said[0]).toEqual(said[1]);
  });

  test('passengers of a sandbox cannot sign in to give consent', async () => {
    const world = await server.newWorld();
    const passwordHash = await hashPassword(MAYA.password);
    const { email } = await server.newPassenger(world, { email: 'sandy@example.com', passwordHash });
    const view = await (await newcomer(server.baseUrl)).submit({ ...MAYA, email });
    expect([view.status, pageOf(view)]).toEqual([422, 'sign-in']);
  });

  test('“Not you?” ends the session, including every copy of its cookie, and asks to sign in', async () => {
    const visitor = await signedInVisitor(server.baseUrl);
    const token = tokenOf(visitor, SESSION);
    const view = await visitor.submit({}, CONSENT_PATHS.signOut);
    expect(view.redirects).toEqual([{ status: 303, location: pathOfRequest() }]);
    expect([view.status, pageOf(view)]).toEqual([200, 'sign-in']);
    expect(visitor.cookies.has(SESSION)).toBe(false);
    expect(await sessionAt(hashOf(token))).toBeUndefined();
    const thief = newVisitor(server.baseUrl);
    thief.cookies.set(SESSION, token);
    expect(pageOf(await thief.open(pathOfRequest()))).toBe('sign-in');
    expect(pageOf(await visitor.submit({ ...MAYA, email: 'leo@example.com' }))).toBe('consent');
    expect(visitor.view().text).toContain('Leo Brandt');
  });
});

describe('a form', () => {
  const server = testServer('sqlite', { withPages: true, rateLimitMultiplier: 1000 });
  const ALL = queryOfRequest();
  const AUTHORIZATION = pathOfRequest().split('?')[0]!;

  /** Posts the fields of all forms to each path, as a signed-in visitor. */
  const postToAll = async (query: string) => {
    const visitor = await signedInVisitor(server.baseUrl);
    const body = new URLSearchParams({ csrf_token: csrfTokenOn(visitor.view()), ...MAYA, decision: 'allow' });
    const views: View[] = [];
    for (const path of Object.values(CONSENT_PATHS)) views.push(await visitor.post(`${path}?${query}`, body));
    return views;
  };

  test.each([
    `${ALL}&unknown=%2f%0d%0a&x`,
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    '@evil.example',
    '?//evil.example',
    '%0d%0aLocation:%20https://evil.example',
    'redirect_uri=https://evil.example',
    'client_id=demo&redirect_uri=//evil.example',
    `${ALL}&redirect_uri=https://evil.example`,
    '',
  ])('with the query %s redirects to the authorization and not elsewhere', async (query) => {
    for (const path of [CONSENT_PATHS.signIn, CONSENT_PATHS.consent]) {
      const response = await fetch(`${server.baseUrl}${path}?${query}`, { redirect: 'manual' });
      const { origin, pathname, search } = new URL(response.headers.get('location')!, server.baseUrl);
      const same = new URL(`?${query}`, server.baseUrl).search;
      expect([response.status, origin, pathname, search]).toEqual([303, server.baseUrl, AUTHORIZATION, same]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    if (query.endsWith('&x')) return;
    const stranger = await newVisitor(server.baseUrl).open(`${CONSENT_PATHS.signUp}?${query}`);
    for (const { status, redirects, location } of [stranger, ...(await postToAll(query))]) {
      expect([status, redirects, location]).toEqual([400, [], null]);
    }
  });

  test.each([
    [queryOfRequest({ scope: 'everything' }), { error: 'invalid_scope', state: 'state-1' }],
    [`${ALL}&state=state-2`, { error: 'invalid_request' }],
    [`${ALL}&code_challenge=%ff`, { error: 'invalid_request' }],
  ])(
    'of an application that sends the wrong query %s returns to it with an error if the passenger is signed in',
    async (query, expected) => {
      const stranger = newVisitor(server.baseUrl);
      const page = await stranger.open(`${CONSENT_PATHS.signUp}?${query}`);
      expect([page.status, page.location, page.text.includes('This link doesn’t work')]).toEqual([400, null, true]);
      for (const { status, location, headers } of await postToAll(query)) {
        expect([status, location?.origin, headers.get('cache-control')]).toEqual([302, DEMO_ORIGIN, 'no-store']);
        expect(Object.fromEntries(location!.searchParams)).toMatchObject(expected);
      }
      expect(stranger.cookies.has(SESSION)).toBe(false);
    },
  );

  // site/every-form.test.ts sends no token, and wrong ones, to every form
  test('opened twice works in both pages', async () => {
    const visitor = await newcomer(server.baseUrl);
    const first = csrfTokenOn(visitor.view());
    await visitor.open(pathOfRequest());
    const body = new URLSearchParams({ csrf_token: first, ...MAYA });
    expect(pageOf(await visitor.post(`${CONSENT_PATHS.signIn}?${ALL}`, body))).toBe('consent');
  });

  test.each([
    [1, 200],
    [2, 403],
  ])('that was signed %i keys ago gets a %i', async (turns, status) => {
    const visitor = await newcomer(server.baseUrl);
    for (let turn = 0; turn < turns; turn++) {
      server.passTime(KEY_SIGNS_MS);
      await server.parts.signingKeys.refresh();
    }
    expect((await visitor.submit(MAYA)).status).toBe(status);
  });

  const fields = new URLSearchParams(MAYA).toString();
  const MALFORMED = 'The form is malformed. Go back and submit it again.';
  const FORM = 'application/x-www-form-urlencoded';
  test.each<[what: string, body: string, status: number, sentence: string, headers?: Record<string, string>]>([
    ['without an email', 'email=&password=x', 422, NOTHING_ENTERED],
    ['with spaces for an email', 'email=++&password=x', 422, NOTHING_ENTERED],
    ['without a password', 'email=maya%40example.com&password=', 422, NOTHING_ENTERED],
    ['with a field twice', `${fields}&email=leo%40example.com`, 400, 'The field email was sent more than once.'],
    ['with a field as a list', `${fields}&password[]=x`, 200, 'Maya Okafor'],
    ['with only a list', 'email[]=maya%40example.com&password=x', 422, NOTHING_ENTERED],
    ['with an invalid escape', 'email=%zz&password=%', 400, MALFORMED],
    ['in Latin-1', 'email=%e4&password=%e4', 400, MALFORMED],
    ['with the Unicode replacement character', 'email=%ef%bf%bd&password=%25', 422, NOT_RIGHT],
    ['of too many fields', `${fields}${'&a=1'.repeat(50)}`, 413, 'The form is too large.'],
    ['in another charset', fields, 400, MALFORMED, { 'Content-Type': `${FORM}; charset=utf-16` }],
    ['of another type', fields, 403, 'You opened it too long ago', { 'Content-Type': 'text/plain' }],
    ['in JSON', fields, 403, 'You opened it too long ago', { 'Content-Type': 'application/json' }],
  ])('%s gets a page', async (_, body, status, sentence, headers) => {
    const visitor = await newcomer(server.baseUrl);
    const token = csrfTokenOn(visitor.view());
    const view = await visitor.post(`${CONSENT_PATHS.signIn}?${ALL}`, `csrf_token=${token}&${body}`, headers);
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
