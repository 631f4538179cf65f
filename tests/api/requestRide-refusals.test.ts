import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RideRequest } from '../../generated/types.ts';
import type { Passenger } from '../../server/domain/passengers/passenger.ts';
import type { CostClaims } from '../../server/domain/pricing/cost-token.ts';
import { useCostToken } from '../../server/store/cost-tokens.ts';
import { sanFrancisco } from '../../server/world/cities/san-francisco.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { DOLORES_PARK, eastOf, FERRY_BUILDING, milesNorthOf, northOf, PACIFIC_OCEAN } from '../support/places.ts';
import { rawCall } from '../support/raw-call.ts';
import { fleetThatRests } from '../support/resting-fleet.ts';
import { type Rider, startTestServer, type TestServer } from '../support/server.ts';
import { advanceUntil, requestRideOf, ridingOf, startRiding, storedRide } from '../support/take-ride.ts';

/** Friday, 23:30 in San Francisco: Prime Time. */
const FRIDAY_NIGHT = Date.UTC(2026, 4, 16, 6, 30);
const BODY = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };
const SFO_TERMINALS = { lat: 37.6165, lng: -122.385 };

const request = async ({ api }: Pick<Rider, 'api'>, change: Partial<RideRequest> = {}) =>
  answerOf(await api.requestRide({ body: { ...BODY, ...change } }));

describe.each(engines)('on %s', (engine) => {
  const { fleetOf, whileItRests } = fleetThatRests();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(engine, { fleetOf, rateLimitMultiplier: 20 });
  });
  afterAll(() => server.close());

  test.each<[string, Partial<RideRequest>, Partial<Passenger>]>([
    ['bad_parameter', { destination: milesNorthOf(FERRY_BUILDING, 101) }, {}],
    ['bad_parameter', { ride_type: '' }, {}],
    ['client_error', { destination: FERRY_BUILDING }, {}],
    ['no_service_in_area', { origin: PACIFIC_OCEAN }, {}],
    ['ridetype_unavailable_in_region', { ride_type: 'hovercraft' }, {}],
    ['destination_prohibited', { destination: SFO_TERMINALS }, {}],
    ['primetime_confirmation_required', {}, {}],
    ['invalid_primetime_confirmation', { cost_token: 'garbage' }, {}],
    ['user_payment_required', {}, { paymentMethod: null }],
    ['account_disabled', {}, { accountDisabled: true }],
    ['user_in_driver_mode', {}, { driverMode: true }],
    ['verified_phone_required', {}, { phoneVerified: false }],
  ])('a request refused with %s leaves nothing behind: %j', async (code, change, traits) => {
    const world = await server.newWorld({ at: FRIDAY_NIGHT });
    const rider = await server.newRider(world, traits);
    const before = await everythingStored(server.store);
    expect((await request(rider, change)).body).toMatchObject({ error: code });
    expect(await everythingStored(server.store)).toEqual(before);
  });

  test('nor does one while no car is near, or in a ride; the ride before stays unpaid', async () => {
    const riding = await startRiding(server);
    await advanceUntil(server, riding, 'droppedOff');
    const unpaid = await everythingStored(server.store);
    const refused = await whileItRests(() => request(riding));
    expect(refused).toEqual(failure(409, 'no_drivers_available'));
    expect(await everythingStored(server.store)).toEqual(unpaid);

    const next = ridingOf(riding, riding.world, await requestRideOf(riding));
    expect((await storedRide(server, riding.world, riding.rideId)).payment).not.toBeNull();
    const inRide = await everythingStored(server.store);
    expect(await request(next)).toEqual(failure(409, 'user_already_in_ride'));
    expect(await everythingStored(server.store)).toEqual(inRide);
  });

  test('nor does a price that was used, and the ride before stays unpaid', async () => {
    const riding = await startRiding(server);
    const { lastEventAt } = await advanceUntil(server, riding, 'droppedOff');
    const query = { start_lat: FERRY_BUILDING.lat, start_lng: FERRY_BUILDING.lng };
    const end = { end_lat: DOLORES_PARK.lat, end_lng: DOLORES_PARK.lng, ride_type: 'svc' };
    const { data } = await riding.api.estimateCost({ params: { query: { ...query, ...end } } });
    const cost_token = data!.cost_estimates[0]!.cost_token!;
    await useCostToken(server.store.db, riding.world.id, decodeJwt<CostClaims>(cost_token).id, lastEventAt);
    const before = await everythingStored(server.store);
    expect(await request(riding, { cost_token })).toEqual(failure(400, 'invalid_primetime_confirmation'));
    expect(await everythingStored(server.store)).toEqual(before);
  });
});

describe('a ride request', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer('sqlite', { rateLimitMultiplier: 20 });
  });
  afterAll(() => server.close());
  const newRider = async (traits?: Partial<Passenger>) => server.newRider(await server.newWorld(), traits);

  test.each<[string, unknown]>([
    ['status', 'droppedOff'],
    ['price', { amount: 1, currency: 'USD' }],
    ['user_id', 'somebody-else'],
    ['passenger', { user_id: 'somebody-else' }],
    ['canceled_by', 'driver'],
    ['ride_id', 'mine'],
    ['ride_profile', 'business'],
    ['requested_at', '2020-01-01T00:00:00Z'],
    ['primetime_percentage', '0%'],
    ['cancel_confirmation_token', 'not for this'],
    ['constructor', {}],
  ])('cannot say its own %s, and changes nothing', async (field, value) => {
    const { token } = await newRider();
    const before = await everythingStored(server.store);
    const response = await rawCall(server.baseUrl, 'requestRide', {
      token,
      body: JSON.stringify({ ...BODY, [field]: value }),
    });
    const detail = [{ [field]: 'is not a parameter of this operation' }];
    expect({ status: response.status, body: await response.json() }).toEqual(failure(400, 'bad_parameter', detail));
    expect(await everythingStored(server.store)).toEqual(before);
  });

  /** What the contract allows, in characters. */
  const LONGEST = 500;
  test.each([
    ['no text', ''],
    ['a letter', 'X'],
    ['another script', '東京駅 ‏מגדל'],
    ['emoji', '👩‍👩‍👧 at the ⛴'],
    ['markup', `<b>"Gate" & 'B'</b> \\ \u2028`],
    ['as much as may be', 'é'.repeat(LONGEST)],
    ['as many emoji as may be', '⛴'.repeat(LONGEST)],
    ['as many pairs of surrogates as may be', '🚕'.repeat(LONGEST)],
  ])('gives back its addresses as they were sent, and so does the ride: %s', async (_, address) => {
    const { api } = await newRider();
    const [origin, destination] = [FERRY_BUILDING, DOLORES_PARK].map((place) => ({ ...place, address }));
    const { data } = await api.requestRide({ body: { ride_type: 'svc', origin: origin!, destination: destination! } });
    expect(data).toMatchObject({ ride_type: 'svc', origin, destination });
    const ride = await api.getRide({ params: { path: { ride_id: data!.ride_id } } });
    expect(ride.data).toMatchObject({ ride_type: 'svc', origin, destination });
  });

  test.each([
    ['null', null, 'must be a string'],
    ['one letter too many', 'é'.repeat(LONGEST + 1), expect.stringContaining(String(LONGEST))],
    ['one emoji too many', '🚕'.repeat(LONGEST + 1), expect.stringContaining(String(LONGEST))],
  ])('has no address that is %s', async (_, address, problem) => {
    const rider = await newRider();
    const answer = await request(rider, { destination: { ...DOLORES_PARK, address: address as string } });
    expect(answer).toEqual(failure(400, 'bad_parameter', [{ 'destination.address': problem }]));
  });

  test.each([
    ['svc', FERRY_BUILDING],
    ['svc_line', FERRY_BUILDING],
    ['svc_premier', DOLORES_PARK],
  ])('gives back its ride type %s, to the decimals of its places', async (ride_type, { lat, lng }) => {
    const origin = { lat: lat + 0.000_000_123_4, lng: lng - 0.000_000_123_4 };
    const { data } = await (await newRider()).api.requestRide({ body: { origin, ride_type } });
    expect(data).toMatchObject({ ride_type, origin: { ...origin, address: null } });
    expect(data).not.toHaveProperty('destination');
  });

  const drop = (destination: { lat: number; lng: number }) => ({ destination });
  // the boundary of the SFO terminals begins with its northern edge, which runs due east
  const [[west, north], [east]] = sanFrancisco.prohibitedDropOffs[0]!.boundary as [[number, number], [number, number]];
  const CORNER_OF_SFO = { lat: north, lng: west };
  const NORTH_EDGE_OF_SFO = { lat: north, lng: (west + east) / 2 };
  test.each<[string, Partial<RideRequest>, string | null]>([
    ['to a place 49 m north', drop(northOf(FERRY_BUILDING, 49)), 'client_error'],
    ['to a place 51 m north', drop(northOf(FERRY_BUILDING, 51)), null],
    ['to a place 49 m east', drop(eastOf(FERRY_BUILDING, 49)), 'client_error'],
    ['to a place 51 m east', drop(eastOf(FERRY_BUILDING, 51)), null],
    ['over 99.9 miles', drop(milesNorthOf(FERRY_BUILDING, 99.9)), null],
    ['over 100.1 miles', drop(milesNorthOf(FERRY_BUILDING, 100.1)), 'bad_parameter'],
    ['to a corner of the SFO terminals', drop(CORNER_OF_SFO), 'destination_prohibited'],
    ['to their northern edge', drop(NORTH_EDGE_OF_SFO), 'destination_prohibited'],
    ['a meter beyond it', drop(northOf(NORTH_EDGE_OF_SFO, 1)), null],
    ['a meter within it', drop(northOf(NORTH_EDGE_OF_SFO, -1)), 'destination_prohibited'],
    ['from the SFO terminals', { origin: SFO_TERMINALS }, null],
  ])('%s', async (_, change, code) => {
    const { status, body } = await request(await newRider(), change);
    expect([status, (body as { error?: string }).error]).toEqual(code === null ? [201, undefined] : [400, code]);
  });
});
