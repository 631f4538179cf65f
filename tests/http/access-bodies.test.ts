import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import { document } from '../../server/http/contract.ts';
import { failure } from '../support/answers.ts';
import { basic } from '../support/demo-caller.ts';
import { LIVE_CLIENT } from '../support/oauth.ts';
import { viewOf } from '../support/passengers-view.ts';
import { DOLORES_PARK, FERRY_BUILDING, MISSION_DOLORES } from '../support/places.ts';
import { rawCall } from '../support/raw-call.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { ridingAt, type Stage } from '../support/stages.ts';
import { type Riding, startRiding } from '../support/take-ride.ts';

/** A sound body for every write, and a stage in which it would do something. */
const WRITES = {
  requestRide: {
    stage: 'canceled free',
    body: { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' },
  },
  updateDestination: { stage: 'accepted', body: MISSION_DOLORES },
  rateRide: { stage: 'droppedOff', body: { rating: 5, tip: { amount: 100, currency: 'USD' } } },
  cancelRide: { stage: 'accepted', body: {} },
} satisfies Partial<Record<OperationId, { stage: Stage; body: object }>>;
type Write = keyof typeof WRITES;

const SCHEMAS: Record<Write, string> = {
  requestRide: 'RideRequest',
  updateDestination: 'RequestedPlace',
  rateRide: 'RatingRequest',
  cancelRide: 'CancelRequest',
};

/** Every field that the contract gives a ride, a passenger or a receipt, and some that only an insider would know. */
const FIELDS = [
  ...new Set([
    ...['AcceptedRide', 'DroppedOffRide', 'CanceledRide', 'Passenger', 'Receipt'].flatMap(fieldsOf),
    ...['passenger_id', 'application_id', 'world_id', 'worldId', 'version', 'payment', 'fee', 'amount', 'at', 'scope'],
  ]),
];

function fieldsOf(schema: string): string[] {
  const { properties = {}, allOf = [], $ref } = document.components.schemas[schema] ?? {};
  const inherited = [...allOf, { $ref }].flatMap((part: { $ref?: string; properties?: object }) =>
    part.$ref ? fieldsOf(part.$ref.split('/').at(-1)!) : Object.keys(part.properties ?? {}),
  );
  return [...Object.keys(properties), ...inherited];
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer('sqlite', { rateLimitMultiplier: 1000 });
});
afterAll(() => server.close());

async function write(operation: Write, riding: Riding, body: object, query?: string) {
  const response = await rawCall(server.baseUrl, operation, {
    path: { ride_id: riding.rideId },
    token: riding.token,
    body: JSON.stringify(body),
    ...(query !== undefined && { query }),
  });
  const answered = await response.text();
  return { status: response.status, body: answered === '' ? null : JSON.parse(answered) };
}

const notAParameter = (name: string) =>
  failure(400, 'bad_parameter', [{ [name]: 'is not a parameter of this operation' }]);

test('the fields that are tried are those of a whole ride', () => {
  const telling = ['ride_id', 'status', 'price', 'passenger', 'driver', 'canceled_by', 'requested_at', 'user_id'];
  const more = ['primetime_percentage', 'ride_profile', 'rating', 'charges', 'line_items', 'cancellation_price'];
  expect(FIELDS).toEqual(expect.arrayContaining([...telling, ...more]));
});

describe.each(Object.keys(WRITES) as Write[])('%s', (operation) => {
  const { stage, body } = WRITES[operation];

  test('refuses every field that is not the client’s to send, and changes nothing', async () => {
    const riding = await ridingAt(server, stage);
    const before = await viewOf(riding);
    const own = fieldsOf(SCHEMAS[operation]);
    const foreign = FIELDS.filter((field) => !own.includes(field));
    expect(foreign.length).toBeGreaterThan(20);
    for (const field of foreign) {
      for (const value of ['x', 1, null, {}]) {
        expect(await write(operation, riding, { ...body, [field]: value }), field).toEqual(notAParameter(field));
      }
    }
    expect(await viewOf(riding)).toEqual(before);
  });

  test('takes nothing in its query', async () => {
    const riding = await ridingAt(server, stage);
    const before = await viewOf(riding);
    for (const name of ['user_id', 'rating', 'lat', 'cost_token', 'access_token', 'status']) {
      expect(await write(operation, riding, body, `${name}=5`), name).toEqual(notAParameter(name));
    }
    expect(await viewOf(riding)).toEqual(before);
  });

  test('does what it is for without them', async () => {
    const riding = await ridingAt(server, stage);
    expect((await write(operation, riding, body)).status).toBe(OPERATIONS[operation].successStatus);
  });
});

test.each<[Write, object, string]>([
  ['requestRide', { origin: { ...FERRY_BUILDING, eta_seconds: 1 } }, 'origin.eta_seconds'],
  ['requestRide', { destination: { ...DOLORES_PARK, time: '2026-01-01T00:00:00Z' } }, 'destination.time'],
  ['rateRide', { tip: { amount: 100, currency: 'USD', payment_method: 'cash' } }, 'tip.payment_method'],
])('%s refuses them inside too: %j', async (operation, change, name) => {
  const { stage, body } = WRITES[operation];
  const riding = await ridingAt(server, stage);
  const before = await viewOf(riding);
  expect(await write(operation, riding, { ...body, ...change })).toEqual(notAParameter(name));
  expect(await viewOf(riding)).toEqual(before);
});

describe('a header', () => {
  test.each([
    'X-User-Id',
    'X-Passenger-Id',
    'X-Application-Id',
    'X-Client-Id',
    'X-World-Id',
    'X-Forwarded-User',
    'X-Remote-User',
    'From',
    'Cookie',
    'X-Access-Token',
    'Proxy-Authorization',
  ])('%s makes nobody a passenger', async (name) => {
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

  test.each(['X-HTTP-Method-Override', 'X-Method-Override', 'X-HTTP-Method'])('%s is no method', async (name) => {
    const riding = await startRiding(server);
    const before = await viewOf(riding);
    const response = await rawCall(server.baseUrl, 'getRide', {
      path: { ride_id: riding.rideId },
      token: riding.token,
      headers: { [name]: 'POST', 'X-Original-URL': OPERATIONS.cancelRide.path.replace('{ride_id}', riding.rideId) },
    });
    expect(await response.json()).toMatchObject({ ride_id: riding.rideId });
    expect(await viewOf(riding)).toEqual(before);
  });
});

describe('of two Authorization headers neither counts:', () => {
  async function statusOf(operation: OperationId, credentials: readonly string[]): Promise<number | undefined> {
    const { method, path } = OPERATIONS[operation];
    const body = operation === 'createToken' ? '{"grant_type": "client_credentials"}' : '';
    const headers = credentials.flatMap((value) => ['Authorization', value]);
    const type = ['Content-Type', 'application/json', 'Content-Length', String(body.length), 'Host', 'localhost'];
    const sent = request(server.baseUrl + path, { method: method.toUpperCase(), headers: [...type, ...headers] });
    sent.end(body);
    const [response] = await once(sent, 'response');
    response.resume();
    return response.statusCode;
  }

  const tokens = async () => {
    const { token } = await server.newRider(await server.newWorld());
    return [`Bearer ${token}`, 'Bearer made-up'] as const;
  };
  const secrets = async () => [LIVE_CLIENT.Authorization, basic(DEMO.clientId, 'wrong').Authorization] as const;

  test.each([
    ['getProfile', tokens],
    ['createToken', secrets],
  ] as const)('%s', async (operation, credentials) => {
    const [good, bad] = await credentials();
    expect(await statusOf(operation, [good])).toBe(200);
    for (const pair of [
      [good, bad],
      [bad, good],
      [good, good],
    ])
      expect(await statusOf(operation, pair)).toBe(401);
  });
});

describe('links lead to this server, whatever is said of hosts:', () => {
  /** Sends a header that fetch does not let one choose. */
  async function ask(operation: OperationId, { token, rideId }: Riding, headers: Record<string, string>, body = '') {
    const { method, path } = OPERATIONS[operation];
    const sent = request(server.baseUrl + path.replace('{ride_id}', rideId), {
      method: method.toUpperCase(),
      headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }), ...headers },
    });
    sent.end(body);
    const [response] = await once(sent, 'response');
    return JSON.parse((await text(response)).replace(/"generated_at":"[^"]*"/, '"generated_at":""'));
  }

  const ELSEWHERE: Record<string, string>[] = [
    { Host: 'evil.example' },
    { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Port': '666' },
    { Forwarded: 'host=evil.example;proto=https', 'X-Forwarded-For': '203.0.113.7' },
    { 'X-Forwarded-Prefix': '/evil', 'X-Original-Host': 'evil.example', Origin: 'https://evil.example' },
  ];

  test.each(ELSEWHERE)('of a ride, with %j', async (headers) => {
    const riding = await ridingAt(server, 'accepted');
    const told = await ask('getRide', riding, headers);
    expect(told).toEqual(await ask('getRide', riding, {}));
    const links = [told.route_url, told.pricing_details_url, told.driver.image_url, told.vehicle.image_url];
    for (const link of links) expect(link).toMatch(server.parts.publicUrl);
    expect(JSON.stringify(told)).not.toContain('evil');
  });

  test.each(ELSEWHERE)('of a refusal, with %j', async (headers) => {
    const world = await server.newWorld();
    const rider = await server.newRider(world, { phoneVerified: false });
    const riding = { ...(await startRiding(server, { world })), ...rider };
    const told = await ask('requestRide', riding, headers, JSON.stringify(WRITES.requestRide.body));
    expect(told.error).toBe('verified_phone_required');
    expect(told.error_uri).toMatch(server.parts.publicUrl);
    expect(JSON.stringify(told)).not.toContain('evil');
  });

  test.each(ELSEWHERE)('of a deprecation, with %j', async (headers) => {
    const riding = await ridingAt(server, 'canceled free');
    const body = { ...WRITES.requestRide.body, primetime_confirmation_token: 'x' };
    const response = await rawCall(server.baseUrl, 'requestRide', {
      token: riding.token,
      headers,
      body: JSON.stringify(body),
    });
    expect(response.headers.get('link')).toMatch(`<${server.parts.publicUrl}/`);
  });
});
