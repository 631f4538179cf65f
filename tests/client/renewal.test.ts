import { describe, expect, test, vi } from 'vitest';
import { createClient } from '../../client/client.ts';
import { CallError } from '../../client/result.ts';
import type { Credentials, Tokens } from '../../client/tokens/renewing-token.ts';
import { OPERATIONS } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import { HOUR_MS, SECOND_MS } from '../../server/domain/time.ts';
import { basic } from '../support/demo-caller.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { newCode, newLivePassenger } from '../support/oauth.ts';
import { testServer } from '../support/started.ts';

const server = testServer('sqlite');
const { path: TOKEN_PATH } = OPERATIONS.createToken;
const LATEST = { params: { query: { start_time: '2026-01-01T00:00:00Z', limit: 1 } } };
const CLIENT = { clientId: DEMO.clientId, clientSecret: DEMO.clientSecret };

/** A client with a passenger's tokens. It records the tokens that it gets, and its requests for them. */
async function renewing({ onTokens = (_: Tokens): unknown => undefined, knowsExpiry = false, random = () => 1 } = {}) {
  const code = await newCode(server, await newLivePassenger(server));
  const { data } = await server.client().createToken({
    body: { grant_type: 'authorization_code', code },
    headers: basic(DEMO.clientId, DEMO.clientSecret),
  });
  const kept: Tokens[] = [];
  const asked: string[] = [];
  let now = 0;
  const api = createClient(
    {
      baseUrl: server.baseUrl,
      fetch: async (request) => {
        if (request.url.endsWith(TOKEN_PATH)) asked.push(await request.clone().text());
        return fetch(request);
      },
      token: {
        ...CLIENT,
        refreshToken: data!.refresh_token!,
        accessToken: data!.access_token,
        ...(knowsExpiry && { expiresAt: data!.expires_in * SECOND_MS }),
        onTokens: async (tokens) => {
          await onTokens(tokens);
          kept.push(tokens);
        },
      },
    },
    { now: () => now, random },
  );
  return {
    ...{ api, kept, asked, tokens: data! },
    passClientTime: (ms: number) => {
      now += ms;
    },
  };
}

test('a hundred calls at once with an expired token make one renewal, and all succeed', async () => {
  const { api, kept, asked } = await renewing();
  await server.pass(HOUR_MS);
  const results = await Promise.all(Array.from({ length: 100 }, () => api.listRides(LATEST)));
  expect(new Set(results.map(({ response }) => response.status))).toEqual(new Set([200]));
  expect([asked.length, kept.length]).toEqual([1, 1]);
  await api.listRides(LATEST);
  expect(asked).toHaveLength(1);
});

test('a token is renewed a minute before it expires, so that no call is refused', async () => {
  const { api, kept, passClientTime } = await renewing({ knowsExpiry: true });
  passClientTime(HOUR_MS - 61 * SECOND_MS);
  await api.listRides(LATEST);
  expect(kept).toEqual([]);
  passClientTime(SECOND_MS);
  await api.listRides(LATEST);
  expect(kept).toHaveLength(1);
  passClientTime(HOUR_MS - 61 * SECOND_MS);
  await api.listRides(LATEST);
  expect(kept).toHaveLength(1);
});

test('a call that changes something is repeated too, because the API refused it before it acted', async () => {
  const { api, kept } = await renewing();
  await server.pass(HOUR_MS);
  const { error } = await api.cancelRide({ params: { path: { ride_id: 'nobody-has-it' } } });
  expect(error?.error).toBe('ride_not_found');
  expect(kept).toHaveLength(1);
});

test('if the tokens cannot be stored, the calls fail, and the next one stores the same tokens', async () => {
  let isFull = true;
  // what a store behind fetch throws is no lost connection of the API
  const onTokens = () => isFull && Promise.reject(new TypeError('the disk is full'));
  const { api, asked, kept } = await renewing({ onTokens });
  await server.pass(HOUR_MS);
  const calls = [api.listRides(LATEST), api.listRides(LATEST)];
  for (const call of calls) await expect(call).rejects.toThrow('the disk is full');
  await server.pass(40 * SECOND_MS);
  isFull = false;
  expect((await api.listRides(LATEST)).response.status).toBe(200);
  expect([kept.length, asked.length]).toEqual([1, 1]);
});

test('a call that its caller has ended asks for no token', async () => {
  const asked = vi.fn(() => Promise.reject(new Error('signed out')));
  const api = server.client({ token: asked });
  const call = api.listRides({ ...LATEST, signal: AbortSignal.abort(new Error('the passenger left')) });
  await expect(call).rejects.toThrow('the passenger left');
  expect(asked).not.toHaveBeenCalled();
});

test('a refresh token that was revoked makes calls fail with what the API says', async () => {
  const { api, tokens } = await renewing();
  await server.client().revokeRefreshToken({
    body: { token: tokens.refresh_token! },
    headers: basic(DEMO.clientId, DEMO.clientSecret),
  });
  const { error } = await api.listRides(LATEST);
  expect(error?.error).toBe('invalid_token');
  await server.pass(HOUR_MS);
  const failing = createClient({
    baseUrl: server.baseUrl,
    token: { ...CLIENT, refreshToken: tokens.refresh_token!, onTokens: () => {} },
  });
  const failure = await failing.listRides(LATEST).catch((reason) => reason);
  expect(failure).toBeInstanceOf(CallError);
  expect(failure).toMatchObject({ error: { error: 'invalid_grant' }, response: { status: 400 } });
});

test('without a refresh token, the client gets a token of the application, and sends no token with others', async () => {
  const api = createClient({ baseUrl: server.baseUrl, token: CLIENT });
  expect((await api.listRideTypes({ params: { query: { lat: 37.79, lng: -122.4 } } })).data?.ride_types).not.toEqual(
    [],
  );
  const own = await api.createToken({
    body: { grant_type: 'client_credentials' },
    headers: basic(DEMO.clientId, DEMO.clientSecret),
  });
  expect(own.data?.token_type).toBe('Bearer');
});

describe('a renewal', () => {
  const GOOD = () => Response.json({ token_type: 'bearer', access_token: 'new', expires_in: 3600, scope: 'public' });

  /** A call of a client that renews its tokens. The API gives these answers to its requests for them. */
  function calling(credentials: Partial<Credentials>, ...answers: readonly (() => Response | Promise<Response>)[]) {
    fakeTimers(['setTimeout', 'clearTimeout']);
    const [asked, redirects]: [string[], string[]] = [[], []];
    const fetch = async (request: Request) => {
      if (!request.url.endsWith(TOKEN_PATH)) return Response.json({ rides: [] });
      asked.push(await request.text());
      redirects.push(request.redirect);
      return (answers[asked.length - 1] ?? GOOD)();
    };
    const kept = { refreshToken: 'first', onTokens: () => {}, ...credentials } as Credentials;
    const api = createClient({ baseUrl: server.baseUrl, fetch, token: { ...CLIENT, ...kept } }, { random: () => 1 });
    const call = async () => {
      const ended = api.listRides(LATEST).catch((error) => error);
      await vi.advanceTimersByTimeAsync(60 * SECOND_MS);
      return ended;
    };
    return { call, asked, redirects };
  }

  test.each<[string, () => Response | Promise<Response>]>([
    ['a 503', () => new Response('away', { status: 503 })],
    ['a 429', () => Response.json({ error: 'rate_limit_exceeded' }, { status: 429, headers: { 'Retry-After': '50' } })],
    ['a lost connection', () => Promise.reject(new TypeError('fetch failed'))],
    ['no response in ten seconds', () => new Promise(() => {})],
    ['a body without an end', () => new Response(new ReadableStream())],
  ])('is repeated after %s, with the same refresh token', async (_, answer) => {
    const { call, asked } = calling({}, answer);
    expect(await call()).toMatchObject({ data: { rides: [] } });
    expect(asked).toEqual([asked[0], asked[0]]);
  });

  test('that hangs fails with a reason and holds up no later call, and onTokens gets no unusable token', async () => {
    const onTokens = vi.fn<() => unknown>().mockReturnValueOnce(new Promise(() => {}));
    const { call, asked } = calling({ onTokens }, () => Response.json({}));
    const failure = await call();
    expect(failure).toBeInstanceOf(CallError);
    expect(failure).toMatchObject({ error: undefined, unreadable: { status: 200, text: '' } });
    expect(onTokens).not.toHaveBeenCalled();
    expect(await call()).toMatchObject({ message: 'onTokens took longer than 10 seconds.' });
    expect(await call()).toMatchObject({ data: { rides: [] } });
    expect([asked.length, onTokens.mock.calls.length]).toEqual([2, 2]);
  });

  test.each([
    ['a token that no header can contain', () => Response.json({ access_token: 'a\nsecret', expires_in: 9 })],
    ['a token in two parts', () => Response.json({ access_token: 'a secret', expires_in: 9 })],
    ['a redirect', () => new Response(null, { status: 308, headers: { Location: '/elsewhere' } })],
  ])('is unreadable with %s, and the next call renews again', async (_, answer) => {
    const { call, asked, redirects } = calling({}, answer);
    const failure = await call();
    expect(failure).toMatchObject({ name: 'CallError', unreadable: { status: answer().status, text: '' } });
    expect(await call()).toMatchObject({ data: { rides: [] } });
    expect(asked).toEqual([asked[0], asked[0]]);
    expect(redirects).toEqual(['manual', 'manual']);
  });

  test('calls a function for the refresh token each time, and takes null for no refresh token', async () => {
    const expired = () => Response.json({ token_type: 'bearer', access_token: 'old', expires_in: 0, scope: 'public' });
    const tokens = ['first', 'second'];
    const shared = calling({ refreshToken: async () => tokens.shift()! }, expired);
    await shared.call();
    await shared.call();
    expect(shared.asked.map((text) => JSON.parse(text).refresh_token)).toEqual(['first', 'second']);
    const own = calling({ refreshToken: null });
    await own.call();
    expect(own.asked.map((text) => JSON.parse(text))).toEqual([{ grant_type: 'client_credentials' }]);
  });
});

describe('a source of tokens', () => {
  test('is asked once more after its token expired, and the call fails if it has no other', async () => {
    const { tokens } = await renewing();
    await server.pass(HOUR_MS);
    const asked: (string | undefined)[] = [];
    const api = server.client({
      token: (expired) => {
        asked.push(expired);
        return tokens.access_token;
      },
    });
    const { error, data } = await api.listRides(LATEST);
    expect([error?.error, data]).toEqual(['token_expired', undefined]);
    expect(asked).toEqual([undefined, tokens.access_token]);
  });

  test('that never answers does not hold a call that its caller ends', async () => {
    const api = server.client({ token: () => new Promise<string>(() => {}) });
    const ended = new AbortController();
    const call = api.listRides({ ...LATEST, signal: ended.signal });
    ended.abort(new Error('the passenger left'));
    await expect(call).rejects.toThrow('the passenger left');
  });
});
