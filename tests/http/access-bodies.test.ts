import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { document } from '../../server/http/contract.ts';
import { ACCEPTED, ACROSS_TOWN } from '../support/accepted-calls.ts';
import { failure } from '../support/answers.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { viewOf } from '../support/passengers-view.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { sharedServer } from '../support/shared-server.ts';
import { ridingAt } from '../support/stages.ts';
import { type Riding, startRiding } from '../support/take-ride.ts';

/** Every write that a passenger can make, and the schema of its body. */
const SCHEMAS = {
  requestRide: 'RideRequest',
  updateDestination: 'RequestedPlace',
  rateRide: 'RatingRequest',
  cancelRide: 'CancelRequest',
} as const satisfies Partial<Record<OperationId, string>>;
type Write = keyof typeof SCHEMAS;

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

const server = sharedServer('sqlite', { rateLimitMultiplier: 1000 });

const notAParameter = (name: string) =>
  failure(400, 'bad_parameter', [{ [name]: 'is not a parameter of this operation' }]);

test('the fields that are tried are those of a whole ride', () => {
  const telling = ['ride_id', 'status', 'price', 'passenger', 'driver', 'canceled_by', 'requested_at', 'user_id'];
  const more = ['primetime_percentage', 'ride_profile', 'rating', 'charges', 'line_items', 'cancellation_price'];
  expect(FIELDS).toEqual(expect.arrayContaining([...telling, ...more]));
});

describe.each(Object.keys(SCHEMAS) as Write[])('%s', (operation) => {
  let call: RawCall;
  beforeAll(async () => {
    call = await ACCEPTED[operation](server);
  });

  /** Sends the call, which is accepted without the change. */
  async function refusalOf(change: RawCall) {
    const response = await rawCall(server.baseUrl, operation, { ...call, ...change });
    return { status: response.status, body: await response.json() };
  }

  test('refuses every field that is not the client’s to send, and changes nothing', async () => {
    const before = await everythingStored(server.store);
    const own = fieldsOf(SCHEMAS[operation]);
    const foreign = FIELDS.filter((field) => !own.includes(field));
    expect(foreign.length).toBeGreaterThan(20);
    for (const field of foreign) {
      for (const value of ['x', 1, null, {}]) {
        const body = JSON.stringify({ ...JSON.parse(String(call.body)), [field]: value });
        expect(await refusalOf({ body }), field).toEqual(notAParameter(field));
      }
    }
    expect(await everythingStored(server.store)).toEqual(before);
  });

  test('takes nothing in its query', async () => {
    const before = await everythingStored(server.store);
    for (const name of ['user_id', 'rating', 'lat', 'cost_token', 'access_token', 'status']) {
      expect(await refusalOf({ query: `${name}=5` }), name).toEqual(notAParameter(name));
    }
    expect(await everythingStored(server.store)).toEqual(before);
  });
});

describe('a header', () => {
  test.each([
    ...['X-User-Id', 'X-Passenger-Id', 'X-Application-Id', 'X-Client-Id', 'X-World-Id', 'X-Forwarded-User'],
    ...['X-Remote-User', 'From', 'Cookie', 'X-Access-Token', 'Proxy-Authorization'],
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
    const told = await ask('requestRide', riding, headers, JSON.stringify(ACROSS_TOWN));
    expect(told.error).toBe('verified_phone_required');
    expect(told.error_uri).toMatch(server.parts.publicUrl);
    expect(JSON.stringify(told)).not.toContain('evil');
  });

  test.each(ELSEWHERE)('of a deprecation, with %j', async (headers) => {
    const { token } = await server.newRider(await server.newWorld());
    const body = JSON.stringify({ ...ACROSS_TOWN, primetime_confirmation_token: 'x' });
    const response = await rawCall(server.baseUrl, 'requestRide', { token, headers, body });
    expect(response.headers.get('link')).toMatch(`<${server.parts.publicUrl}/`);
  });
});
