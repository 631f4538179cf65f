import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { failure } from '../support/answers.ts';
import { pathOf } from '../support/operations.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer('sqlite');
});
afterAll(() => server.close());

const TOO_LARGE = { body: JSON.stringify({ feedback: 'x'.repeat(70_000) }) };
const TEXT = { body: 'five stars', headers: { 'Content-Type': 'text/plain' } };
const MALFORMED = { body: '{' };
const UNKNOWN_FIELD = { body: '{"rating": 5, "mood": "good"}' };
const UNKNOWN_RIDE = { body: '{"rating": 5}' };

async function answer(operation: OperationId, call: RawCall) {
  const response = await rawCall(server.baseUrl, operation, { path: { ride_id: 'ride-1' }, ...call });
  return { status: response.status, body: await response.json() };
}

const newRider = async () => server.newRider(await server.newWorld());

async function useUp(token: string): Promise<void> {
  for (let i = 0; i < 5; i++) await answer('rateRide', { token, ...UNKNOWN_RIDE });
}

describe('first comes whether there is such a path and method:', () => {
  test.each([
    ['no token', {}],
    ['a bad token', { Authorization: 'Bearer made-up' }],
  ])('an unknown path with %s is a 404', async (_, headers) => {
    const response = await fetch(`${server.baseUrl}/nowhere`, { method: 'POST', headers, body: 'x' });
    expect({ status: response.status, body: await response.json() }).toEqual(failure(404, 'not_found'));
  });

  test.each(Object.keys(OPERATIONS) as OperationId[])(
    '%s by a method that its path has not is a 405',
    async (operation) => {
      const { path } = OPERATIONS[operation];
      const there = Object.values(OPERATIONS).filter((other) => other.path === path);
      const method = ['PATCH', 'POST'].find((method) => !there.some((other) => other.method.toUpperCase() === method));
      const response = await fetch(server.baseUrl + pathOf(path), { method: method!, body: '{' });
      expect({ status: response.status, body: await response.json() }).toEqual(failure(405, 'method_not_allowed'));
      expect(response.headers.get('allow')).toBe(there.map(({ method }) => method.toUpperCase()).join(', '));
    },
  );
});

describe('then the token:', () => {
  test.each([
    ['too large', TOO_LARGE],
    ['of another type', TEXT],
    ['malformed', MALFORMED],
  ])('with a body that is %s a bad token is a 401', async (_, call) => {
    expect(await answer('rateRide', { token: 'made-up', ...call })).toEqual(failure(401, 'invalid_token'));
  });

  test('for a passenger who may call no more it is a 401 as well', async () => {
    const world = await server.newWorld();
    const { token, passenger } = await server.newRider(world);
    await useUp(token);
    const poor = await server.newToken({ world, passenger, scopes: ['public'] });
    expect(await answer('rateRide', { token: poor, ...UNKNOWN_RIDE })).toEqual(failure(401, 'insufficient_scope'));
  });

  test('a call that it refuses does not count', async () => {
    const world = await server.newWorld();
    const { token, passenger } = await server.newRider(world);
    const poor = await server.newToken({ world, passenger, scopes: ['public'] });
    await useUp(poor);
    expect(await answer('rateRide', { token, ...UNKNOWN_RIDE })).toEqual(failure(404, 'ride_not_found'));
  });
});

describe('then the limit:', () => {
  test.each([
    ['too large', TOO_LARGE],
    ['of another type', TEXT],
    ['malformed', MALFORMED],
    ['no rating', UNKNOWN_FIELD],
    ['sound', UNKNOWN_RIDE],
  ])('the sixth write is a 429 though its body is %s', async (_, call) => {
    const { token } = await newRider();
    await useUp(token);
    expect(await answer('rateRide', { token, ...call })).toEqual(failure(429, 'rate_limit_exceeded'));
  });

  test('every call that is refused after it counts', async () => {
    const { token } = await newRider();
    const refused = [TOO_LARGE, TEXT, MALFORMED, UNKNOWN_FIELD, UNKNOWN_RIDE];
    const statuses = [];
    for (const call of refused) statuses.push((await answer('rateRide', { token, ...call })).status);
    expect(statuses).toEqual([413, 415, 400, 400, 404]);
    expect((await answer('rateRide', { token, ...UNKNOWN_RIDE })).status).toBe(429);
  });
});

describe('then the rest:', () => {
  test.each<Record<string, string>>([{}, { 'Content-Type': 'application/json' }, { 'Content-Type': 'text/plain' }])(
    'no body, with the headers %j, is a 400 that misses it',
    async (headers) => {
      const { token } = await newRider();
      const detail = [{ body: 'is required' }];
      expect(await answer('rateRide', { token, headers })).toEqual(failure(400, 'bad_parameter', detail));
    },
  );

  test('a body without a type is a 415', async () => {
    const { token } = await newRider();
    const body = Buffer.from('{"rating": 5}');
    const path = pathOf(OPERATIONS.rateRide.path);
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(server.baseUrl + path, { method: 'PUT', headers, body });
    const answered = { status: response.status, body: await response.json() };
    expect(answered).toEqual(failure(415, 'unsupported_media_type'));
  });

  test('a body that breaks the contract before the ride that is not there', async () => {
    const { token } = await newRider();
    expect(await answer('rateRide', { token, ...UNKNOWN_FIELD })).toMatchObject({ status: 400 });
  });
});
