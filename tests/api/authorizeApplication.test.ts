import { beforeAll, describe, expect, test } from 'vitest';
import type { AuthorizationQuery } from '../../client/authorization-url.ts';
import { DEMO, demoRedirectUri } from '../../server/demo.ts';
import { MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { setSettings } from '../../server/store/applications.ts';
import { engines } from '../support/database.ts';
import {
  askToken,
  decided,
  LIVE_CLIENT,
  LOOKALIKES,
  MIXTURES,
  newApplication,
  newLivePassenger,
  newSession,
  REDIRECT_URI,
  SEVERAL_URIS,
} from '../support/oauth.ts';
import { rawCall } from '../support/raw-call.ts';
import { startTestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGED = { code_challenge: CHALLENGE, code_challenge_method: 'S256' } as const;
const SOUND = { client_id: DEMO.clientId, response_type: 'code' } as const;

const queryOf = (query: Partial<AuthorizationQuery>) => new URLSearchParams({ ...SOUND, ...query }).toString();

/** Opens the operation in a browser. */
async function openAt({ baseUrl }: { readonly baseUrl: string }, query: string, cookie?: string) {
  const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', ...(cookie && { Cookie: cookie }) };
  const response = await rawCall(baseUrl, 'authorizeApplication', { query, headers });
  const location = response.headers.get('location');
  return {
    status: response.status,
    headers: response.headers,
    page: await response.text(),
    location,
    sent: location === null ? null : Object.fromEntries(new URL(location).searchParams),
  };
}

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 100 });
  const iss = 'http://localhost:8080';
  const callback = demoRedirectUri(iss);

  const open = (query: string, cookie?: string) => openAt(server, query, cookie);

  const cookieAfter = async (query: string, scopes: readonly string[] | null = ['public']) =>
    decided(server, await newLivePassenger(server), query, scopes);

  const openAfter = async (query: string, scopes?: readonly string[] | null) =>
    open(query, await cookieAfter(query, scopes));

  /** Exchanges the code of a redirect. */
  const trade = ({ sent }: Awaited<ReturnType<typeof open>>, change: object = {}, client = LIVE_CLIENT) =>
    askToken(server, { grant_type: 'authorization_code', code: sent?.code, ...change }, client);

  describe('a page', () => {
    test('asks a person who is not signed in to sign in, and names the application', async () => {
      const { status, headers, page } = await open(queryOf({}));
      expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
      expect(page).toContain('Sign in to continue to Demo');
      // neither scripts nor other sites can use the cookie
      expect(headers.getSetCookie()).toEqual([
        expect.stringMatching(/^ridehail_csrf=\S+; Path=\/; HttpOnly; SameSite=Lax$/),
      ]);
    });

    test('asks a person who is signed in for consent, scope by scope', async () => {
      const passenger = await newLivePassenger(server);
      const { page } = await open(queryOf({ scope: 'public profile' }), await newSession(server, passenger));
      expect(page).toContain('Allow Demo to use your account?');
      expect(page).toContain(passenger.email);
      expect(page).toContain('See ride types, arrival times, prices and nearby drivers.');
      expect(page).toMatch(/type="checkbox" name="scope" value="profile" checked/);
      expect(page).not.toMatch(/type="checkbox" name="scope" value="public"/);
      expect(page).not.toContain('rides.request');
    });

    test('asks for public and rides.read when no scope is named', async () => {
      const { page } = await open(queryOf({}), await newSession(server, await newLivePassenger(server)));
      expect(page).toContain('See your current and past rides');
      expect(page).not.toContain('type="checkbox"');
    });

    test('asks to sign in if the session has expired or never existed, with any content in the cookies', async () => {
      const expired = await newSession(server, await newLivePassenger(server));
      server.passTime(60 * MINUTE_MS);
      const sessions = ['made-up', '', '"%zz"'].map((text) => `ridehail_session=${text}`);
      const odd = [
        'j:{"a":1}',
        '%00; ridehail_session=%00',
        'a; ridehail_csrf=b; __proto__=x',
        'x'.repeat(8000),
        ';;===,',
      ];
      for (const cookie of [expired, ...sessions, ...odd.map((text) => `ridehail_csrf=${text}`)]) {
        expect((await open(queryOf({}), cookie)).page, cookie).toContain('Sign in to continue');
      }
    });
  });

  describe('after the passenger allows the request', () => {
    test('a 302 leads to the registered redirect URI, with a valid code and the state', async () => {
      const query = queryOf({ scope: 'public profile offline', state: 'f3Zr8' });
      // the passenger can grant fewer scopes than requested
      const answer = await openAfter(query, ['public', 'profile']);
      const { status, location, sent, headers } = answer;
      expect(status).toBe(302);
      expect(location?.split('?')[0]).toBe(callback);
      expect(sent).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/), iss, state: 'f3Zr8' });
      expect(headers.get('cache-control')).toBe('no-store');
      const { body } = await trade(answer);
      expect(body).toMatchObject({ token_type: 'bearer', scope: 'public profile' });
      expect(body).not.toHaveProperty('refresh_token');
    });

    test('the decision counts once: opened again, the page asks again', async () => {
      const cookie = await cookieAfter(queryOf({}));
      expect((await open(queryOf({}), cookie)).status).toBe(302);
      expect((await open(queryOf({}), cookie)).page).toContain('Allow Demo to use your account?');
    });

    test('the decision counts for a minute', async () => {
      const cookie = await cookieAfter(queryOf({}));
      server.passTime(60 * SECOND_MS);
      expect((await open(queryOf({}), cookie)).status).toBe(200);
    });

    test.each<[string, Partial<AuthorizationQuery>]>([
      ['scope', { scope: 'public profile' }],
      ['state', { state: 'another' }],
      ['challenge', CHALLENGED],
      ['redirect URI', { redirect_uri: callback }],
      ['application', { client_id: 'another' }],
    ])('the decision does not count for a request with another %s', async (_, change) => {
      await newApplication(server, 'another');
      const cookie = await cookieAfter(queryOf({}));
      expect((await open(queryOf(change), cookie)).status).toBe(200);
    });

    test('unknown parameters, and parameters without a value, change nothing', async () => {
      const cookie = await cookieAfter(queryOf({}));
      expect((await open(`${queryOf({})}&nonce=1&nonce=2&redirect_uri=&scope=&prompt=%zz`, cookie)).status).toBe(302);
    });
  });

  describe('a code is bound', () => {
    test('to the redirect URI, whether or not the request named it', async () => {
      for (const query of [queryOf({}), queryOf({ redirect_uri: callback })]) {
        const answer = await openAfter(query);
        // the redirect has no state if the request had none
        expect(Object.keys(answer.sent!)).toEqual(['code', 'iss']);
        expect((await trade(answer, { redirect_uri: `${callback}/` })).body.error).toBe('invalid_grant');
        expect((await trade(answer, { redirect_uri: callback })).status).toBe(200);
      }
    });

    test('to the redirect URI that it was sent to, even if the application registers another one', async () => {
      const id = `moving-${engine}`;
      const client = await newApplication(server, id);
      const answer = await openAfter(queryOf({ client_id: id }));
      const [old, fresh] = [REDIRECT_URI, 'https://new.example/callback'];
      await setSettings(server.store.db, id, { redirectUris: [fresh] });
      expect((await trade(answer, { redirect_uri: fresh }, client)).body.error).toBe('invalid_grant');
      expect((await trade(answer, { redirect_uri: old }, client)).status).toBe(200);
    });

    test('to ten minutes', async () => {
      for (const [ms, status] of [[10 * MINUTE_MS - 1, 200] as const, [10 * MINUTE_MS, 400] as const]) {
        const answer = await openAfter(queryOf({}));
        server.passTime(ms);
        expect((await trade(answer)).status).toBe(status);
      }
    });
  });

  test('a redirect URI that was registered with a query keeps the query unchanged', async () => {
    const id = `queried-${engine}`;
    await newApplication(server, id);
    await setSettings(server.store.db, id, { redirectUris: ['https://app.example/callback?a=1%2F2&b'] });
    const { location } = await openAfter(queryOf({ client_id: id, state: 's' }), null);
    expect(location).toMatch(/^https:\/\/app\.example\/callback\?a=1%2F2&b&error=access_denied&/);
  });

  describe('an application with several redirect URIs', () => {
    const client_id = `several-${engine}`;
    let client: typeof LIVE_CLIENT;
    beforeAll(async () => {
      client = await newApplication(server, client_id, undefined, { redirectUris: SEVERAL_URIS });
    });

    const because = (error: string) => ({ error, error_description: expect.any(String) });
    const ANSWERS: readonly [Partial<AuthorizationQuery>, readonly string[] | null, object][] = [
      [{}, null, because('access_denied')],
      [{ scope: 'everything' }, ['public'], because('invalid_scope')],
      [{}, ['public'], { code: expect.any(String) }],
    ];
    test.each(SEVERAL_URIS)('gets a code or an error at %s if the request names it, as the page says', async (uri) => {
      const asked = { client_id, redirect_uri: uri, state: 's' };
      const { page } = await open(queryOf(asked), await newSession(server, await newLivePassenger(server)));
      const { protocol, host } = new URL(uri);
      const app = `<strong>an app on this device</strong>, which opens links that start with <code>${protocol}</code>`;
      const place = protocol === 'https:' ? `<strong>${host}</strong>` : app;
      expect(page).toContain(`Whether you allow or deny access, you return to ${place}.`);
      for (const [change, scopes, told] of ANSWERS) {
        const answer = await openAfter(queryOf({ ...asked, ...change }), scopes);
        expect([answer.status, answer.location!.slice(0, uri.length)]).toEqual([302, uri]);
        const added = new URLSearchParams(answer.location!.slice(uri.length).slice(1));
        expect(Object.fromEntries(added)).toEqual({ ...told, iss, state: 's' });
        if (added.has('code')) expect((await trade(answer, { redirect_uri: uri }, client)).status).toBe(200);
      }
    });

    test.each([
      ['without the parameter', queryOf({ client_id })],
      ['with an empty value', queryOf({ client_id, redirect_uri: '' })],
      ['with other mistakes', `client_id=${client_id}&response_type=token&scope=everything&state=a`],
    ])('gets no redirect if the request does not name one, %s', async (_, query) => {
      const { status, location, page } = await openAfter(query);
      expect({ status, location }).toEqual({ status: 400, location: null });
      expect(page).toContain('The parameter redirect_uri is required');
    });
  });

  describe('never redirects', () => {
    test.each([
      ['no client_id', 'response_type=code', 'client_id'],
      ['an empty client_id', 'client_id=&response_type=code', 'client_id'],
      ['an unknown client_id', 'client_id=stranger&response_type=code', 'client_id'],
      ['a client_id with NUL', 'client_id=demo%00&response_type=code', 'client_id'],
      ['a client_id that is not UTF-8', 'client_id=%ff&response_type=code', 'client_id'],
      ['a client_id of 8 kB', `client_id=${'x'.repeat(8000)}&response_type=code`, 'client_id'],
      ['two client_ids', 'client_id=demo&client_id=demo&response_type=code', 'client_id'],
      ['an object as client_id', 'client_id[a]=demo&response_type=code', 'client_id'],
      ['an unknown client with other mistakes', 'client_id=stranger&response_type=token&state=a&state=b', 'client_id'],
      ['two redirect_uris', `${queryOf({})}&redirect_uri=http%3A%2F%2Fx&redirect_uri=http%3A%2F%2Fx`, 'redirect_uri'],
    ])('%s', async (_, query, name) => {
      const { status, location, page } = await open(query);
      expect({ status, location }).toEqual({ status: 400, location: null });
      expect(page).toContain('This link doesn’t work');
      expect(page).toContain('Go back to the app that sent you here');
      expect(page).toMatch(new RegExp(name));
    });

    const ofOne = [...LOOKALIKES, `${REDIRECT_URI}\0`].map((uri) => [uri, [REDIRECT_URI]] as const);
    const ofSeveral = MIXTURES.map((uri) => [uri, SEVERAL_URIS] as const);
    test.each([...ofOne, ...ofSeveral])('a redirect_uri that is %j', async (redirect_uri, redirectUris) => {
      const client_id = `strict-${redirectUris.length}-${engine}`;
      await newApplication(server, client_id, undefined, { redirectUris });
      // the passenger's earlier consent makes no difference
      const { status, location, page } = await openAfter(queryOf({ client_id, redirect_uri }));
      expect({ status, location }).toEqual({ status: 400, location: null });
      expect(page).toContain('redirect_uri');
      expect(page).not.toContain('alert(1)');
    });
  });

  describe('goes back to the application as an error if a passenger is signed in', () => {
    const openSignedIn = async (query: string) => open(query, await newSession(server, await newLivePassenger(server)));

    test.each([
      ['no response_type', 'client_id=demo', 'invalid_request'],
      ['an empty response_type', 'client_id=demo&response_type=', 'invalid_request'],
      ['response_type=token', 'client_id=demo&response_type=token', 'unsupported_response_type'],
      ['response_type=code token', 'client_id=demo&response_type=code%20token', 'unsupported_response_type'],
      ['response_type in another case', 'client_id=demo&response_type=CODE', 'unsupported_response_type'],
      ['two response_types', `${queryOf({})}&response_type=code`, 'invalid_request'],
      ['two scopes', `${queryOf({ scope: 'public' })}&scope=profile`, 'invalid_request'],
      ['two challenges', `${queryOf(CHALLENGED)}&code_challenge=x`, 'invalid_request'],
      ['an unknown scope', queryOf({ scope: 'public everything' }), 'invalid_scope'],
      ['a scope in another case', queryOf({ scope: 'Public' }), 'invalid_scope'],
      ['scopes separated by commas', queryOf({ scope: 'public,profile' }), 'invalid_scope'],
      ['a scope with NUL', queryOf({ scope: 'public\0' }), 'invalid_request'],
      ['the method plain', `${queryOf({ code_challenge: VERIFIER })}&code_challenge_method=plain`, 'invalid_request'],
      ['a challenge without a method', queryOf({ code_challenge: CHALLENGE }), 'invalid_request'],
      ['a method without a challenge', queryOf({ code_challenge_method: 'S256' }), 'invalid_request'],
      ['a challenge that is not a hash', queryOf({ ...CHALLENGED, code_challenge: 'short' }), 'invalid_request'],
      ['a scope that is not UTF-8', `${queryOf({})}&scope=%ff`, 'invalid_request'],
    ])('%s', async (_, query, error) => {
      const { status, location, sent, page } = await openSignedIn(`${query}&state=f3Zr8`);
      expect({ status, to: location?.split('?')[0], page }).toEqual({ status: 302, to: callback, page: '' });
      const error_description = expect.stringMatching(/^[A-Z][^"\\]+\.$/);
      expect(sent).toEqual({ error, error_description, iss, state: 'f3Zr8' });
      const unknown = await open(`${query}&state=f3Zr8`);
      expect([unknown.status, unknown.location]).toEqual([400, null]);
      expect(unknown.page).toContain('This link doesn’t work');
    });

    test('two states, and neither is returned', async () => {
      const { sent } = await openSignedIn(`${queryOf({ state: 'a' })}&state=b`);
      expect(sent).toEqual({ error: 'invalid_request', error_description: expect.stringContaining('state'), iss });
    });

    test('a state with NUL', async () => {
      const { sent } = await openSignedIn(queryOf({ state: 'a\0b' }));
      expect(sent).toMatchObject({ error: 'invalid_request', state: 'a\0b' });
    });
  });

  test.each([
    ['CR LF', 'a\r\nSet-Cookie: ridehail_session=stolen\r\n\r\n<script>'],
    ['URL delimiters', 'a&code=forged#?=/%'],
    ['letters of several scripts', 'Grüße 東京 🚕'],
    ['markup', '"><script>alert(1)</script>'],
    ['8 kB', 'x'.repeat(8000)],
  ])('a state of %s is returned unchanged, and has no other effect', async (_, state) => {
    const { sent, headers, page, location } = await openAfter(queryOf({ state }));
    expect(sent).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/), iss, state });
    expect(headers.getSetCookie()).toEqual([]);
    expect(location).toMatch(/^[\x21-\x7e]+$/);
    expect(page).toBe('');
    expect((await open(queryOf({ state }))).page).not.toContain('<script>');
  });

  test('a client that asks for JSON is redirected with errors too, if a passenger is signed in', async () => {
    const Cookie = await newSession(server, await newLivePassenger(server));
    const call = { query: 'client_id=demo&response_type=token', headers: { Accept: 'application/json', Cookie } };
    expect((await rawCall(server.baseUrl, 'authorizeApplication', call)).status).toBe(302);
  });

  test.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb', 200],
    ['http://127.0.0.1:8080/cb?a=b', 'http://127.0.0.1:51004/cb?a=b', 200],
    ['http://[::1]:8080/cb', 'http://[::1]/cb', 200],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb/', 400],
    ['http://127.0.0.1/cb', 'http://[::1]:51004/cb', 400],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:0x50/cb', 400],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:99999/cb', 400],
    ['http://localhost/cb', 'http://localhost:51004/cb', 400],
    ['https://127.0.0.1/cb', 'https://127.0.0.1:51004/cb', 400],
    ['https://app.example/cb', 'https://app.example:51004/cb', 400],
  ])('an application that registered %s can use %s: %s', async (registered, redirect_uri, expected) => {
    const client_id = `native-${crypto.randomUUID()}`;
    const client = await newApplication(server, client_id, undefined, { redirectUris: [registered] });
    const query = queryOf({ client_id, redirect_uri });
    expect((await open(query)).status).toBe(expected);
    if (expected === 400) return;
    const answer = await openAfter(query);
    expect(answer.location!.startsWith(redirect_uri)).toBe(true);
    if (registered !== redirect_uri)
      expect((await trade(answer, { redirect_uri: registered }, client)).body.error).toBe('invalid_grant');
    expect((await trade(answer, { redirect_uri }, client)).status).toBe(200);
  });

  test('the demo application is unknown to a server that refuses it, as in production', async () => {
    const production = await startTestServer(engine, {
      store: { ...server.store, close: async () => {} },
      refusedApplications: new Set([DEMO.clientId]),
    });
    const { status, location } = await openAt(production, queryOf({}));
    await production.close();
    expect({ status, location }).toEqual({ status: 400, location: null });
  });
});
