import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { type AuthorizationQuery, authorizationUrl } from '../../client/authorization-url.ts';
import { type ClientOptions, createClient } from '../../client/client.ts';
import { OPERATIONS } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { testServer } from '../support/started.ts';

// `npm run check` runs tsc, which checks the types. These tests check that responses match them.

const BASE_URL = 'https://api.example.com';
const REQUEST = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };

/** Creates a client without a server. It records its requests. */
function clientWith(token?: ClientOptions['token'], answer = () => Response.json({})) {
  const sent: Request[] = [];
  const fetch = async (request: Request) => {
    sent.push(request);
    return answer();
  };
  return { sent, api: createClient({ baseUrl: BASE_URL, fetch, ...(token !== undefined && { token }) }) };
}

describe('the access token', () => {
  test('is sent as a bearer token with every call', async () => {
    const { api, sent } = clientWith('secret');
    await api.getProfile();
    await api.requestRide({ body: REQUEST });
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer secret', 'Bearer secret']);
  });

  test.each([
    ['a value', (value: string) => value],
    ['a promise', (value: string) => Promise.resolve(value)],
  ])('can be a function, called before each request, that returns %s', async (_, answer) => {
    let count = 0;
    const { api, sent } = clientWith(() => answer(`token-${++count}`));
    await api.getProfile();
    await api.getProfile();
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  test('is optional, and a call can have its own credentials', async () => {
    const { api, sent } = clientWith();
    await api.getProfile();
    await api.createToken({ body: { grant_type: 'client_credentials' }, headers: { Authorization: 'Basic YTpi' } });
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([null, 'Basic YTpi']);
  });

  test('that fails to load makes the call fail before it is sent', async () => {
    const { api, sent } = clientWith(() => Promise.reject(new Error('signed out')));
    await expect(api.getProfile()).rejects.toThrow('signed out');
    expect(sent).toEqual([]);
  });
});

describe('a call', () => {
  test('encodes the path, the query and the body', async () => {
    const { api, sent } = clientWith('secret');
    await api.getRide({ params: { path: { ride_id: 'a/b?c' } } });
    await api.listRides({ params: { query: { start_time: '2026-05-12T11:00:00+02:00', limit: 5 } } });
    await api.requestRide({ body: REQUEST });
    const [ride, rides, request] = sent as [Request, Request, Request];
    expect(new URL(ride.url).pathname.split('/').at(-1)).toBe('a%2Fb%3Fc');
    expect(new URL(rides.url).searchParams.get('start_time')).toBe('2026-05-12T11:00:00+02:00');
    expect(new URL(rides.url).searchParams.get('limit')).toBe('5');
    expect(new URL(request.url).origin).toBe(BASE_URL);
    expect(request.method).toBe('POST');
    expect(request.headers.get('content-type')).toBe('application/json');
    expect(await request.json()).toEqual(REQUEST);
  });

  test('without a response rejects', async () => {
    const { api } = clientWith('secret', () => {
      throw new TypeError('fetch failed');
    });
    await expect(api.getProfile()).rejects.toThrow('fetch failed');
  });

  test("uses the platform's fetch by default", async () => {
    const platform = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ id: 'maya' }));
    const { data } = await createClient({ baseUrl: BASE_URL })
      .getProfile()
      .finally(() => platform.mockRestore());
    expect(data).toEqual({ id: 'maya' });
  });
});

describe('with a server', () => {
  const server = testServer('sqlite');

  test('a result has either data or error, and the response', async () => {
    const { api, passenger } = await server.newRider(await server.newWorld());
    const good = await api.getProfile();
    expect(good.error).toBeUndefined();
    expect(good.data).toMatchObject({ id: passenger.id, has_taken_a_ride: false });
    const bad = await api.getReceipt({ params: { path: { ride_id: 'nobody-has-it' } } });
    expect(bad.data).toBeUndefined();
    expect(bad.error).toMatchObject({ error: 'ride_not_found' });
    expect(bad.response.status).toBe(404);
    expectTypeOf(good.data!.has_taken_a_ride).toEqualTypeOf<boolean>();
    expectTypeOf(bad.error!.error_detail).toExtend<readonly { readonly [name: string]: string }[]>();
  });
});

test('a base URL that cannot work is refused at once, and a page may use its own origin', () => {
  const wrong = [
    undefined,
    'api.example.com',
    'localhost:8080',
    'ftp://a.example',
    'https://',
    'https://a.example?b',
    '/a#b',
  ];
  for (const baseUrl of wrong as string[]) {
    const refusal = `baseUrl must be a URL such as https://api.example.com, without a query, but is '${baseUrl}'.`;
    expect(() => createClient({ baseUrl })).toThrow(refusal);
    expect(() => authorizationUrl(baseUrl, { client_id: 'a', response_type: 'code' })).toThrow(refusal);
  }
  for (const baseUrl of ['', '/api', 'HTTPS://a.example/v2/']) expect(createClient({ baseUrl })).toBeDefined();
});

describe('the link to the consent page', () => {
  const QUERY: AuthorizationQuery = { client_id: DEMO.clientId, response_type: 'code' };

  test('is the URL of the page with the query', () => {
    const query = { ...QUERY, scope: 'public profile', state: 'a&b=c #?%+ ü🔑"' };
    const url = new URL(authorizationUrl(BASE_URL, query));
    expect(url.origin + url.pathname).toBe(BASE_URL + OPERATIONS.authorizeApplication.path);
    expect(Object.fromEntries(url.searchParams)).toEqual(query);
  });

  test('is the same for a base URL that ends with a slash', () => {
    expect(authorizationUrl(`${BASE_URL}/`, QUERY)).toBe(authorizationUrl(BASE_URL, QUERY));
  });

  test('leaves an undefined parameter out', () => {
    const query = { ...QUERY, state: undefined };
    expect(Object.fromEntries(new URL(authorizationUrl(BASE_URL, query)).searchParams)).toEqual(QUERY);
  });

  test('does not compile with a value that the server does not support', () => {
    expectTypeOf<'plain'>().not.toExtend<AuthorizationQuery['code_challenge_method']>();
    expectTypeOf<'token'>().not.toExtend<AuthorizationQuery['response_type']>();
  });
});
