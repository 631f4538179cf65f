import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { failure } from '../support/answers.ts';
import { pathOf } from '../support/operations.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = sharedServer('sqlite');

const TOO_LARGE = { body: JSON.stringify({ feedback: 'x'.repeat(70_000) }) };
const TEXT = { body: 'five stars', headers: { 'Content-Type': 'text/plain' } };
const MALFORMED = { body: '{' };
const UNKNOWN_FIELD = { body: '{"rating": 5, "mood": "good"}' };
const UNKNOWN_RIDE = { body: '{"rating": 5}' };

async function answer(call: RawCall) {
  const response = await rawCall(server.baseUrl, 'rateRide', { path: { ride_id: 'ride-1' }, ...call });
  return { status: response.status, body: await response.json() };
}

const newRider = async () => server.newRider(await server.newWorld());

async function useUp(token: string): Promise<void> {
  for (let i = 0; i < 5; i++) await answer({ token, ...UNKNOWN_RIDE });
}

// each other step of the order is tried for every operation: edge-methods, access-headers
describe('a token without the scope:', () => {
  test('is refused before the limit, that of a passenger who may call no more too', async () => {
    const world = await server.newWorld();
    const { token, passenger } = await server.newRider(world);
    await useUp(token);
    const poor = await server.newToken({ world, passenger, scopes: ['public'] });
    expect(await answer({ token: poor, ...UNKNOWN_RIDE })).toEqual(failure(401, 'insufficient_scope'));
  });

  test('does not let a call count', async () => {
    const world = await server.newWorld();
    const { token, passenger } = await server.newRider(world);
    const poor = await server.newToken({ world, passenger, scopes: ['public'] });
    await useUp(poor);
    expect(await answer({ token, ...UNKNOWN_RIDE })).toEqual(failure(404, 'ride_not_found'));
  });
});

test('every call that is refused after the limit counts', async () => {
  const { token } = await newRider();
  const refused = [TOO_LARGE, TEXT, MALFORMED, UNKNOWN_FIELD, UNKNOWN_RIDE];
  const statuses = [];
  for (const call of refused) statuses.push((await answer({ token, ...call })).status);
  expect(statuses).toEqual([413, 415, 400, 400, 404]);
  expect((await answer({ token, ...UNKNOWN_RIDE })).status).toBe(429);
});

describe('after token and limit:', () => {
  test.each<Record<string, string>>([{}, { 'Content-Type': 'application/json' }, { 'Content-Type': 'text/plain' }])(
    'no body, with the headers %j, is a 400 that misses it',
    async (headers) => {
      const { token } = await newRider();
      const detail = [{ body: 'is required' }];
      expect(await answer({ token, headers })).toEqual(failure(400, 'bad_parameter', detail));
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
});
