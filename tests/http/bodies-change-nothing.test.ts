import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationId } from '../../generated/server.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { LIVE_CLIENT, newCode, newGrant, newLivePassenger, sendTo, statusWith } from '../support/oauth.ts';
import { viewOf } from '../support/passengers-view.ts';
import { DOLORES_PARK, FERRY_BUILDING, MISSION_DOLORES } from '../support/places.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { ridingAt, type Stage } from '../support/stages.ts';
import { hostileBodies, hostileToClosed } from './support/hostile-bodies.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer('sqlite', { rateLimitMultiplier: 1000 });
});
afterAll(() => server.close());

interface Row {
  readonly operation: OperationId;
  /** Where the sound body would do something. */
  readonly stage: Stage;
  readonly sound: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly numbers: readonly string[];
  /** What the sound body is answered in the end. */
  readonly status: number;
}

const REQUEST = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };
const RATING = { rating: 5, tip: { amount: 100, currency: 'USD' }, feedback: 'Thanks' };
const ROWS: readonly Row[] = [
  {
    operation: 'requestRide',
    stage: 'canceled free',
    sound: REQUEST,
    text: 'ride_type',
    numbers: ['lat', 'lng'],
    status: 201,
  },
  {
    operation: 'updateDestination',
    stage: 'accepted',
    sound: { ...MISSION_DOLORES, address: 'x' },
    text: 'address',
    numbers: ['lat', 'lng'],
    status: 200,
  },
  {
    operation: 'rateRide',
    stage: 'droppedOff',
    sound: RATING,
    text: 'feedback',
    numbers: ['rating', 'amount'],
    status: 204,
  },
  // the token that confirms a fee is ignored where there is none
  {
    operation: 'cancelRide',
    stage: 'accepted',
    sound: { cancel_confirmation_token: 'x' },
    text: 'cancel_confirmation_token',
    numbers: [],
    status: 204,
  },
];

const REFUSED = {
  error: expect.any(String),
  error_description: expect.stringMatching(/^The .*\w.*\.$/),
  error_detail: expect.any(Array),
};

async function outcome(response: Response) {
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

describe.each(ROWS)('a hostile body of $operation', ({ operation, stage, sound, text, numbers, status }) => {
  test('is refused and changes nothing, and a sound one still does', async () => {
    const riding = await ridingAt(server, stage);
    const send = async (call: RawCall) =>
      outcome(await rawCall(server.baseUrl, operation, { token: riding.token, path: riding.params.path, ...call }));
    const before = { seen: await viewOf(riding), stored: await everythingStored(server.store) };
    for (const { what, body, headers } of [...hostileBodies(sound, text), ...hostileToClosed(sound, numbers)]) {
      const answer = await send({ body, ...(headers && { headers }) });
      expect(answer.status, what).toBeOneOf([400, 413, 415]);
      expect(answer.body, what).toEqual(REFUSED);
    }
    expect({ seen: await viewOf(riding), stored: await everythingStored(server.store) }).toEqual(before);
    expect((await send({ body: JSON.stringify(sound) })).status).toBe(status);
    expect(await everythingStored(server.store)).not.toEqual(before.stored);
  });
});

test('a hostile body of createToken gives no token, and uses up no code', async () => {
  const code = await newCode(server, await newLivePassenger(server));
  const sound = { grant_type: 'authorization_code', code };
  const before = await everythingStored(server.store);
  for (const { what, body, headers } of hostileBodies(sound, 'code')) {
    const answer = await sendTo(server, 'createToken', { body, headers: { ...LIVE_CLIENT, ...headers } });
    expect(answer.status, what).toBeOneOf([400, 413]);
    expect(answer.body, what).toEqual(REFUSED);
    if (answer.status === 400) expect(answer.body.error, what).toBe('invalid_request');
  }
  expect(await everythingStored(server.store)).toEqual(before);
  const given = await sendTo(server, 'createToken', { body: JSON.stringify(sound), headers: LIVE_CLIENT });
  expect(given.status).toBe(200);
});

test('a hostile body of revokeRefreshToken revokes nothing', async () => {
  const { refreshToken, accessToken } = await newGrant(server);
  const sound = { token: refreshToken };
  const before = await everythingStored(server.store);
  for (const { what, body, headers } of hostileBodies(sound, 'token')) {
    const answer = await sendTo(server, 'revokeRefreshToken', { body, headers: { ...LIVE_CLIENT, ...headers } });
    expect(answer.status, what).toBeOneOf([400, 413]);
    expect(answer.body, what).toEqual(REFUSED);
  }
  expect(await everythingStored(server.store)).toEqual(before);
  expect(await statusWith(server, accessToken)).toBe(200);
  const call = { body: JSON.stringify(sound), headers: LIVE_CLIENT };
  expect((await sendTo(server, 'revokeRefreshToken', call)).status).toBe(200);
  expect(await statusWith(server, accessToken)).toBe(401);
});
