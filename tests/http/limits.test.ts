import { beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_BODY_BYTES, OPERATIONS, type OperationId } from '../../generated/server.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { LIVE_CLIENT, SANDBOX_CLIENT } from '../support/oauth.ts';
import { acceptedCall, OPERATION_FACTS } from '../support/operation-facts.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { defaultToken } from '../support/sandboxes.ts';
import { startTestServer, TUESDAY_MORNING } from '../support/server.ts';
import { testServer } from '../support/started.ts';

const limitOf = (operation: OperationId) => OPERATION_FACTS[operation].limit;
const WRITES = ['requestRide', 'updateDestination', 'rateRide', 'cancelRide'] as const;

const server = testServer('sqlite');
/** Rate limits use the process clock. Tests move it with `vi`. */
beforeEach(() => fakeTimers(['Date'], TUESDAY_MORNING));

async function call(operation: OperationId, token: string, options: RawCall = {}, on = server) {
  const response = await rawCall(on.baseUrl, operation, { path: { ride_id: 'ride-1' }, token, ...options });
  const header = (name: string) => {
    const value = response.headers.get(name);
    return value === null ? null : Number(value);
  };
  return {
    answer: await rawAnswerOf(response),
    limit: header('x-ratelimit-limit'),
    remaining: header('x-ratelimit-remaining'),
    reset: header('x-ratelimit-reset'),
    retryAfter: header('retry-after'),
  };
}

const newRider = async () => server.newRider(await server.newWorld());
const OVER = failure(429, 'rate_limit_exceeded');

test('each operation has its limit', () => {
  for (const id of OPERATION_IDS) {
    expect(OPERATIONS[id].rateLimit, id).toMatchObject({ limit: limitOf(id), windowSeconds: 60 });
  }
});

test.each([LIVE_CLIENT, SANDBOX_CLIENT])(
  'client tokens have a limit of their own, and use up no renewals',
  async (headers) => {
    await server.client({ token: await defaultToken(server) }).updateWorld({ body: { limits: false } });
    const { limit } = OPERATIONS.createToken.grantRateLimits.client_credentials;
    const ask = (body: string) => call('createToken', '', { headers, body });
    const [client, renewal] = ['client_credentials', 'refresh_token'].map((grant_type) =>
      JSON.stringify({ grant_type }),
    );
    for (let n = 1; n < limit; n++) await ask(client!);
    expect(await ask(client!)).toMatchObject({ answer: { status: 200 }, limit, remaining: 0 });
    expect(await ask(client!)).toMatchObject({ answer: OVER, limit, remaining: 0, retryAfter: 60 });
    expect(await ask(renewal!)).toMatchObject({ answer: { status: 400 }, limit: 1000, remaining: 999 });
    // an unreadable body, and a name that every object has
    for (const [n, body] of ['{', '{"grant_type":"constructor"}', ' '.repeat(MAX_BODY_BYTES + 1)].entries()) {
      expect(await ask(body)).toMatchObject({ limit: 1000, remaining: 998 - n });
    }
  },
);

describe('the sixth write in a minute', () => {
  test.each(WRITES)('is refused when it is %s, after five of all kinds', async (sixth) => {
    const { token } = await newRider();
    const remaining = [];
    for (const operation of [...WRITES, WRITES[0]]) remaining.push((await call(operation, token)).remaining);
    expect(remaining).toEqual([4, 3, 2, 1, 0]);
    const { answer, limit, remaining: left, reset, retryAfter } = await call(sixth, token);
    expect(answer).toEqual(OVER);
    expect({ limit, left }).toEqual({ limit: 5, left: 0 });
    expect({ retryAfter, reset }).toEqual({ retryAfter: 60, reset: TUESDAY_MORNING / 1000 + 60 });
  });

  test('does not prevent reads', async () => {
    const { token } = await newRider();
    for (let i = 0; i < 6; i++) await call('rateRide', token);
    expect((await call('getProfile', token)).answer.status).toBe(200);
    expect(await call('getRide', token)).toMatchObject({ answer: { status: 404 }, remaining: 999 });
  });

  test.each([1, 999, 1000, 12_345, 30_000, 58_001, 59_999])(
    '%i ms after the first is accepted after Retry-After, and not a second earlier',
    async (ms) => {
      const { token } = await newRider();
      for (let i = 0; i < 5; i++) await call('rateRide', token);
      vi.setSystemTime(TUESDAY_MORNING + ms);
      const { retryAfter, reset } = await call('rateRide', token);
      expect(retryAfter).toBe(Math.ceil((60_000 - ms) / 1000));
      expect(reset).toBe(TUESDAY_MORNING / 1000 + 60);
      vi.setSystemTime(TUESDAY_MORNING + ms + 1000 * (retryAfter! - 1));
      expect((await call('rateRide', token)).answer).toEqual(OVER);
      vi.setSystemTime(TUESDAY_MORNING + ms + 1000 * retryAfter!);
      expect((await call('rateRide', token)).answer.status).toBe(400);
    },
  );

  test('is the only one refused when all are sent at once', async () => {
    const { token } = await newRider();
    const answers = await Promise.all(Array.from({ length: 6 }, () => call('rateRide', token)));
    expect(answers.filter(({ answer }) => answer.status === 429)).toHaveLength(1);
  });
});

test('reading a ride and its receipt share a count', async () => {
  const { token } = await newRider();
  expect((await call('getRide', token)).remaining).toBe(999);
  expect((await call('getReceipt', token)).remaining).toBe(998);
});

describe('a limit counts', () => {
  const place = `lat=${FERRY_BUILDING.lat}&lng=${FERRY_BUILDING.lng}`;
  const rider = async (world: World, traits = {}) => (await server.newRider(world, traits)).token;
  const client = (world: World, applicationId = 'demo') => server.newToken({ world, applicationId });
  const twoOf = (change: { readonly applicationId?: string }) => async (world: World) => {
    const { token, passenger } = await server.newRider(world);
    return [token, await server.newToken({ world, passenger, ...change })] as const;
  };

  test.each<
    [string, (world: World) => Promise<readonly [string, string]>, operation: OperationId, isTogether: boolean]
  >([
    ['each passenger separately', async (w) => [await rider(w), await rider(w)], 'getProfile', false],
    ['all tokens of a passenger with one application together', twoOf({}), 'getProfile', true],
    ['the applications of a passenger separately', twoOf({ applicationId: 'another' }), 'getProfile', false],
    [
      'a passenger in each world separately',
      async (w) => [await rider(w, { id: 'double' }), await rider(await server.newWorld(), { id: 'double' })],
      'getProfile',
      false,
    ],
    [
      'each application separately, with client tokens',
      async (w) => [await client(w), await client(w, 'another')],
      'listDrivers',
      false,
    ],
    [
      'all client tokens of an application together',
      async (w) => [await client(w), await client(w)],
      'listDrivers',
      true,
    ],
    ['passengers and client tokens separately', async (w) => [await client(w), await rider(w)], 'listDrivers', false],
  ])('%s', async (_, tokensIn, operation, isTogether) => {
    const [token, other] = await tokensIn(await server.newWorld());
    const options = operation === 'listDrivers' ? { query: place } : {};
    for (let i = 0; i < 5; i++) expect((await call(operation, token, options)).answer.status).toBe(200);
    const { answer, remaining } = await call(operation, other, options);
    expect(isTogether ? answer : remaining).toEqual(isTogether ? OVER : 4);
  });

  test('browsers per network, for all users of the network together', async () => {
    const proxied = await startTestServer('sqlite', { trustedProxies: 1, rateLimitMultiplier: 0.002 });
    const statuses = [];
    for (const [address, Cookie = ''] of [
      ...[['192.0.2.1'], ['192.0.2.1', 'ridehail_session=a'], ['192.0.2.1', 'ridehail_session=b'], ['192.0.2.2']],
      ...[['2001:db8::1'], ['2001:db8::2'], ['2001:db8::3'], ['2001:db8:0:1::1']],
    ] as const) {
      const headers = { Accept: 'application/json', 'X-Forwarded-For': address, Cookie };
      const sent = { query: 'client_id=nobody', headers };
      statuses.push((await rawCall(proxied.baseUrl, 'authorizeApplication', sent)).status);
    }
    await proxied.close();
    expect(statuses).toEqual([400, 400, 429, 400, 400, 400, 429, 400]);
  });
});

/** A change that makes a call a 400. */
const refusedOf = (operation: OperationId): RawCall =>
  OPERATIONS[operation].requestMediaTypes.length > 0 ? { body: '{' } : { query: 'surprise=1' };

test.each(OPERATION_IDS)(
  'a call of %s that returns a 400 counts like one that succeeds, and both report the limit',
  async (operation) => {
    const { status: accepted = OPERATION_FACTS[operation].status, ...sound } = await acceptedCall(operation, server);
    const { token = '' } = sound;
    const answers = [];
    for (const change of [refusedOf(operation), refusedOf(operation), {}]) {
      const { answer, ...told } = await call(operation, token, { ...sound, ...change });
      answers.push({ status: answer.status, ...told });
    }
    const { remaining } = answers[0]!;
    const told = { limit: limitOf(operation), reset: TUESDAY_MORNING / 1000 + 60, retryAfter: null };
    expect(answers).toEqual([
      { status: 400, remaining, ...told },
      { status: 400, remaining: remaining! - 1, ...told },
      { status: accepted, remaining: remaining! - 2, ...told },
    ]);
  },
);
