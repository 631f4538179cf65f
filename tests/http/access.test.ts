import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { openStage } from '../contract/support/refusals-stage.ts';
import { ACROSS_TOWN, type AcceptedCall, bodyOf } from '../support/accepted-calls.ts';
import { failure, rawAnswerOf } from '../support/answers.ts';
import { basic } from '../support/demo-caller.ts';
import { newApplication } from '../support/oauth.ts';
import { acceptedCall } from '../support/operation-facts.ts';
import { CALL_IDS, type CallId, firstSchemeOf } from '../support/operations.ts';
import { secretsOf, viewOf } from '../support/passengers-view.ts';
import { MISSION_DOLORES } from '../support/places.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { LIVE, type TokenOptions } from '../support/server.ts';
import { soundCallOf } from '../support/sound-calls.ts';
import { ridingAt, STAGES } from '../support/stages.ts';
import { forAll, testServer } from '../support/started.ts';
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

// authentication.test.ts and the order of checks below test callers without any access
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

test.each([
  ...['X-User-Id', 'X-Passenger-Id', 'X-Application-Id', 'X-Client-Id', 'X-World-Id', 'X-Forwarded-User'],
  ...['X-Remote-User', 'From', 'Cookie', 'X-Access-Token', 'Proxy-Authorization'],
])('the header %s does not identify a passenger', async (name) => {
  const riding = await startRiding(server);
  const { passenger, token } = await server.newRider(riding.world);
  const path = { ride_id: riding.rideId };
  for (const value of [riding.passenger.id, riding.token, `Bearer ${riding.token}`]) {
    const headers = { [name]: value };
    const ride = await rawCall(server.baseUrl, 'getRide', { path, token, headers });
    expect(ride.status).toBe(403);
    const profile = await rawCall(server.baseUrl, 'getProfile', { token, headers });
    expect(await profile.json()).toMatchObject({ id: passenger.id });
    expect((await rawCall(server.baseUrl, 'getProfile', { headers })).status).toBe(401);
  }
});

test('links point to this server, regardless of headers', async () => {
  const headers = {
    ...{ 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Port': '666' },
    ...{ Forwarded: 'host=evil.example;proto=https', 'X-Forwarded-For': '203.0.113.7' },
    ...{ 'X-Forwarded-Prefix': '/evil', 'X-Original-Host': 'evil.example', Origin: 'https://evil.example' },
  };
  const { rideId, token, world } = await ridingAt(server, 'accepted');
  const told = await rawCall(server.baseUrl, 'getRide', { path: { ride_id: rideId }, token, headers });
  const { body: ride } = await rawAnswerOf(told);
  const unverified = await server.newRider(world, { phoneVerified: false });
  // the old name of a field is deprecated
  const asked = { token: unverified.token, headers, ...bodyOf({ ...ACROSS_TOWN, primetime_confirmation_token: 'x' }) };
  const refused = await rawCall(server.baseUrl, 'requestRide', asked);
  const { body: error } = await rawAnswerOf(refused);
  const ofRide = [ride.route_url, ride.pricing_details_url, ride.driver.image_url, ride.vehicle.image_url];
  for (const link of [...ofRide, error.error_uri]) expect(link).toMatch(server.parts.publicUrl);
  expect(refused.headers.get('link')).toMatch(`<${server.parts.publicUrl}/`);
  expect(JSON.stringify([ride, error, ...refused.headers])).not.toContain('evil');
});

/** Wrong client credentials count per network across all operations, so each call comes from its own /24. */
let networks = 0;

const stage = forAll(() => openStage('sqlite'));

const takesBody = (id: CallId) => OPERATIONS[id].requestMediaTypes.length > 0;
const isForClients = (id: CallId) => firstSchemeOf(id).scheme === 'clientBasic';
const malformed = (id: CallId): RawCall => (takesBody(id) ? { body: '{' } : { query: 'surprise=1' });
const NOT_JSON = { body: 'x', headers: { 'Content-Type': 'text/plain' } };
const TOO_LARGE = { body: ' '.repeat(70_000) };

describe.each(CALL_IDS)('%s checks a request in order', (operation) => {
  const wrong: RawCall[] = [malformed(operation), ...(takesBody(operation) ? [TOO_LARGE, NOT_JSON] : [])];

  /** Sends a call to the server that allows one call a minute for each caller. */
  const send = (sent: RawCall) => rawCall(stage.strict.baseUrl, operation, sent);

  /** A valid call from a new caller. */
  async function newCall(): Promise<AcceptedCall> {
    const call = await acceptedCall(operation, stage.server);
    if (!isForClients(operation)) return call;
    return { ...call, headers: await newApplication(stage.server, crypto.randomUUID()) };
  }

  /** The changes that give a call wrong credentials, or a token of the same caller without the scope. */
  async function badCallers({ world, passenger }: AcceptedCall): Promise<RawCall[]> {
    if (isForClients(operation)) return [{ headers: basic('demo', 'wrong') }];
    const poor = await stage.server.newToken({ world, ...(passenger && { passenger }), scopes: ['offline'] });
    return [{ token: 'made-up' }, { token: poor }];
  }

  test('a 401 comes before all other errors and does not count, and a 429 comes before errors about the request itself', async () => {
    const call = await newCall();
    const callers = await badCallers(call);
    const sendBad = async (change: RawCall) => {
      for (const bad of callers) {
        const from = { 'X-Forwarded-For': `198.51.${networks++}.1` };
        const headers = { ...change.headers, ...bad.headers, ...from };
        const response = await send({ ...call, ...change, ...bad, headers });
        expect(response.status).toBe(401);
      }
    };
    for (const change of wrong) await sendBad(change);
    expect((await send({ ...call, ...malformed(operation) })).status).toBe(400);
    await sendBad({});
    // the limit is one call
    for (const change of [...wrong, {}]) {
      const response = await send({ ...call, ...change, headers: { ...change.headers, ...call.headers } });
      expect(await rawAnswerOf(response)).toEqual(failure(429, 'rate_limit_exceeded'));
    }
  });

  if (takesBody(operation)) {
    test('a body that is too large comes before an invalid query, and an invalid body comes before an unknown ride', async () => {
      const call = await acceptedCall(operation, server);
      const statusOf = async (change: RawCall) =>
        (await rawCall(server.baseUrl, operation, { ...call, ...change })).status;
      expect(await statusOf({ query: 'surprise=1', ...TOO_LARGE })).toBe(413);
      expect(await statusOf({ ...malformed(operation), path: { ...call.path, ride_id: 'no-such-ride' } })).toBe(400);
    });
  }
});
