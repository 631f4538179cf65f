import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { bodyOf } from '../support/accepted-calls.ts';
import { failure } from '../support/answers.ts';
import { CALL_IDS, type CallId } from '../support/operations.ts';
import { secretsOf, viewOf } from '../support/passengers-view.ts';
import { MISSION_DOLORES } from '../support/places.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { LIVE, type TokenOptions } from '../support/server.ts';
import { soundCallOf } from '../support/sound-calls.ts';
import { ridingAt, STAGES } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { type Riding, requestRideOf, ridingOf, startRiding } from '../support/take-ride.ts';

const ON_A_RIDE = CALL_IDS.filter((id) => OPERATIONS[id].path.includes('{ride_id}'));
/** Controls never act on the live world. */
const isControl = (id: CallId) => OPERATIONS[id].tag === 'Sandbox';

const server = testServer('sqlite', { rateLimitMultiplier: 1000 });

/** Calls an operation on a ride with the request that its passenger would send. */
async function call(operation: OperationId, rideId: string, token: string | undefined, change: RawCall = {}) {
  const { body } = soundCallOf(operation);
  const response = await rawCall(server.baseUrl, operation, {
    path: { ride_id: rideId },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(token !== undefined && { token }),
    ...change,
  });
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, answer: { status, body: text === '' ? null : JSON.parse(text) } };
}

/** A token for a passenger with the same id in another world. */
async function doubleIn(world: TokenOptions['world'], { passenger }: Riding, applicationId = 'demo') {
  return server.newToken({ world, passenger: await server.newPassenger(world, { id: passenger.id }), applicationId });
}

type Token = (riding: Riding) => Promise<string>;

const STRANGERS: readonly [string, Token][] = [
  ['another passenger', async ({ world }) => (await server.newRider(world)).token],
  ['another passenger with a ride', async ({ world }) => (await startRiding(server, { world })).token],
  [
    'another passenger with another application',
    async ({ world }) =>
      server.newToken({ world, passenger: await server.newPassenger(world), applicationId: 'another' }),
  ],
];

const doubleElsewhere: Token = async (riding) => doubleIn(await server.newWorld(), riding);

const FROM_OTHER_WORLDS: readonly [string, Token][] = [
  ['their double in another sandbox', doubleElsewhere],
  [
    "their double in another application's sandbox",
    async (riding) => doubleIn(await server.newWorld({ applicationId: 'another' }), riding, 'another'),
  ],
  ['a stranger in another sandbox', async () => (await server.newRider(await server.newWorld())).token],
];

const LIVE_ONES: readonly [string, Token][] = [['themselves, live', (riding) => doubleIn(LIVE, riding)]];

// authentication.test.ts and access-headers.test.ts test callers without any access
const refusalsOf = (operation: CallId): [readonly [string, Token][], { status: number; body: unknown }][] => [
  [STRANGERS, failure(403, 'ride_does_not_belong_to_user')],
  [FROM_OTHER_WORLDS, failure(404, 'ride_not_found')],
  [LIVE_ONES, isControl(operation) ? failure(403, 'sandbox_only') : failure(404, 'ride_not_found')],
];

/** The bodies of all 403 and 404 responses so far. */
const bodies = new Set<string>();

describe.each(STAGES)('a ride that is %s', (stage) => {
  let riding: Riding;
  let before: Awaited<ReturnType<typeof viewOf>>;
  /** The tokens so far. A refused call does not change its caller. */
  const tokens = new Map<Token, Promise<string>>();
  const tokenOf = (caller: Token) => {
    tokens.set(caller, tokens.get(caller) ?? caller(riding));
    return tokens.get(caller)!;
  };
  beforeAll(async () => {
    riding = await ridingAt(server, stage);
    before = await viewOf(riding);
  });

  test.each(ON_A_RIDE)('is accessible only to its passenger: %s', async (operation) => {
    for (const [callers, expected] of refusalsOf(operation)) {
      for (const [caller, token] of callers) {
        const { status, text, answer } = await call(operation, riding.rideId, await tokenOf(token));
        expect(answer, caller).toEqual(expected);
        for (const secret of secretsOf(before)) expect(text, caller).not.toContain(secret);
        if (status === 403 || status === 404) bodies.add(text);
      }
    }
    // from another world, it looks like a missing ride
    const token = await tokenOf(doubleElsewhere);
    const [there, nowhere] = [
      await call(operation, riding.rideId, token),
      await call(operation, 'no-such-ride', token),
    ];
    expect(there.text).toBe(nowhere.text);
    expect(tellingHeaders(there.headers)).toEqual(tellingHeaders(nowhere.headers));
    expect(await viewOf(riding)).toEqual(before);
  });

  test('does not appear in any other history', async () => {
    const callers = [...STRANGERS, ...FROM_OTHER_WORLDS, ...LIVE_ONES];
    const query = 'start_time=2015-01-01T00:00:00Z&limit=50';
    for (const [caller, token] of callers) {
      const response = await rawCall(server.baseUrl, 'listRides', { query, token: await tokenOf(token) });
      expect(await response.json(), caller).toEqual({ ride_history: [] });
    }
  });
});

test('an error has the same body for every ride and operation', () => {
  const codes = [...bodies].map((text) => JSON.parse(text).error);
  expect(codes.sort()).toEqual(['ride_does_not_belong_to_user', 'ride_not_found', 'sandbox_only']);
});

/** The headers, except the ones that can differ between two calls. */
function tellingHeaders(headers: Headers): Record<string, string> {
  const own = ['date', 'x-request-id', 'request-id', 'x-ratelimit-remaining'];
  return Object.fromEntries([...headers].filter(([name]) => !own.includes(name)));
}

test('in the live world, another application of the passenger can change and cancel the ride', async () => {
  const rider = await server.newRider(LIVE);
  const riding = ridingOf(rider, LIVE, await requestRideOf(rider));
  const other = await server.newToken({ world: LIVE, passenger: rider.passenger, applicationId: 'another' });
  const changed = await call('updateDestination', riding.rideId, other, bodyOf(MISSION_DOLORES));
  expect(changed.answer).toMatchObject({ status: 200, body: MISSION_DOLORES });
  expect((await viewOf(riding)).ride.body.destination).toMatchObject(MISSION_DOLORES);
  expect((await call('cancelRide', riding.rideId, other, bodyOf({}))).status).toBe(204);
  expect((await viewOf(riding)).ride.body).toMatchObject({ status: 'canceled', canceled_by: 'passenger' });
});

// applications/across-rides.test.ts tests what other applications of the passenger see
test.each(ON_A_RIDE)('a sandbox token cannot access a live ride: %s', async (operation) => {
  const rider = await server.newRider(LIVE);
  const riding = ridingOf(rider, LIVE, await requestRideOf(rider));
  const before = await viewOf(riding);
  const token = await doubleIn(await server.newWorld(), riding);
  expect((await call(operation, riding.rideId, token)).answer).toEqual(failure(404, 'ride_not_found'));
  expect(await viewOf(riding)).toEqual(before);
});
