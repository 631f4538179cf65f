import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RideRequest } from '../../generated/types.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { DOLORES_PARK, FERRY_BUILDING, PACIFIC_OCEAN } from '../support/places.ts';
import { type RawCall, rawCall } from '../support/raw-call.ts';
import { fleetThatRests } from '../support/resting-fleet.ts';
import { type Rider, startTestServer, type TestServer } from '../support/server.ts';
import { advanceUntil, requestRideOf, ridingOf, startRiding, storedRide } from '../support/take-ride.ts';

const BODY = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc' };
const SFO_TERMINALS = { lat: 37.6165, lng: -122.385 };
const SACRAMENTO = { lat: 38.5816, lng: -121.4944 };
const FRESNO = { lat: 36.7378, lng: -119.7871 };
const IN_RIDE = failure(409, 'user_already_in_ride');

const request = async ({ api }: Pick<Rider, 'api'>, change: Partial<RideRequest> = {}) =>
  answerOf(await api.requestRide({ body: { ...BODY, ...change } }));

describe.each(engines)('on %s', (engine) => {
  const { fleetOf, whileItRests } = fleetThatRests();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(engine, { fleetOf });
  });
  afterAll(() => server.close());

  const newRider = async (traits?: Parameters<TestServer['newRider']>[1]) =>
    server.newRider(await server.newWorld(), traits);

  async function send(call: RawCall) {
    const response = await rawCall(server.baseUrl, 'requestRide', call);
    const text = await response.text();
    return { response, answer: { status: response.status, body: text === '' ? null : JSON.parse(text) } };
  }

  /** What a new passenger's request is answered whose body is these very bytes. */
  const answerTo = async (body: string, headers: Record<string, string> = {}) => {
    const { token } = await newRider();
    return (await send({ token, body, headers })).answer;
  };

  describe('a ride', () => {
    test('is pending, and answered with where it goes and for whom', async () => {
      const { api, passenger } = await newRider();
      const origin = { ...FERRY_BUILDING, address: 'Ferry Building, Gate B' };
      const { data, response } = await api.requestRide({ body: { ...BODY, origin } });
      expect(response.status).toBe(201);
      expect(response.headers.get('x-ratelimit-limit')).toBe('5');
      expect(response.headers.get('x-ratelimit-remaining')).toBe('4');
      expect(response.headers.get('deprecation')).toBeNull();
      expect(data).toEqual({
        ride_id: expect.stringMatching(/^[\w-]{1,64}$/),
        status: 'pending',
        ride_type: 'svc',
        origin,
        destination: { ...DOLORES_PARK, address: null },
        passenger: {
          user_id: passenger.id,
          first_name: 'Maya',
          last_name: 'Okafor',
          image_url: null,
          rating: '4.9',
        },
      });
    });

    test('of a passenger with a portrait on this server', async () => {
      const { api } = await newRider({ imageUrl: '/pictures/people/maya.svg' });
      const { data } = await api.requestRide({ body: BODY });
      expect(data!.passenger.image_url).toBe('http://localhost:8080/pictures/people/maya.svg');
    });

    test('of a passenger without rating, riding on business', async () => {
      const rider = await newRider({ rating: null, businessProfile: true, imageUrl: 'https://example.com/maya.png' });
      const { data } = await rider.api.requestRide({ body: BODY });
      expect(data!.passenger).toMatchObject({ rating: null, image_url: 'https://example.com/maya.png' });
      const ride = await rider.api.getRide({ params: { path: { ride_id: data!.ride_id } } });
      expect(ride.data!.ride_profile).toBe('business');
    });

    test('without a destination goes about three miles, and ends where the passenger said', async () => {
      const riding = await startRiding(server, { destination: undefined });
      await advanceUntil(server, riding, 'droppedOff');
      const { data } = await riding.api.getRide({ params: riding.params });
      if (data?.status !== 'droppedOff') throw new Error(`The ride is ${data?.status}`);
      expect(data).not.toHaveProperty('destination');
      expect(data.dropoff).toMatchObject({ lat: expect.any(Number), lng: expect.any(Number), address: null });
      expect(data.distance_miles).toBeGreaterThan(1.5);
      expect(data.distance_miles).toBeLessThan(5);
    });

    test('to a place without service, but less than 100 miles away, is driven there', async () => {
      const riding = await startRiding(server, { destination: SACRAMENTO });
      await advanceUntil(server, riding, 'droppedOff');
      const { data } = await riding.api.getRide({ params: riding.params });
      expect(data).toMatchObject({ status: 'droppedOff', dropoff: SACRAMENTO });
    });
  });

  describe('a bad parameter is a 400 that names it', () => {
    const REQUIRED = 'is required';
    const NOT_KNOWN = 'is not a parameter of this operation';
    test.each<[string, unknown, Record<string, unknown>[]]>([
      ['no field at all', {}, [{ origin: REQUIRED }, { ride_type: REQUIRED }]],
      ['no longitude', { ...BODY, origin: { lat: 37.7955 } }, [{ 'origin.lng': REQUIRED }]],
      ['no latitude', { ...BODY, destination: { lng: -122.4 } }, [{ 'destination.lat': REQUIRED }]],
      [
        'a latitude beyond the pole',
        { ...BODY, origin: { lat: 90.1, lng: 0 } },
        [{ 'origin.lat': 'must be at most 90' }],
      ],
      [
        'a longitude too far west',
        { ...BODY, origin: { lat: 0, lng: -181 } },
        [{ 'origin.lng': 'must be at least -180' }],
      ],
      ['a number in quotes', { ...BODY, origin: { lat: '37.7', lng: 0 } }, [{ 'origin.lat': 'must be a number' }]],
      ['a list for a place', { ...BODY, destination: [37.7, -122.4] }, [{ destination: 'must be an object' }]],
      ['null for a place', { ...BODY, destination: null }, [{ destination: 'must be an object' }]],
      [
        'an address of a thousand letters',
        place({ address: 'x'.repeat(1000) }),
        [{ 'origin.address': expect.any(String) }],
      ],
      ['a number for an address', place({ address: 7 }), [{ 'origin.address': 'must be a string' }]],
      ['an address with NUL', place({ address: 'a\0b' }), [{ 'origin.address': expect.any(String) }]],
      ['half a surrogate pair', place({ address: '\ud83d' }), [{ 'origin.address': expect.any(String) }]],
      ['no ride type', { origin: FERRY_BUILDING }, [{ ride_type: REQUIRED }]],
      ['an empty ride type', { ...BODY, ride_type: '' }, [{ ride_type: expect.any(String) }]],
      ['a ride type that is no text', { ...BODY, ride_type: 1 }, [{ ride_type: 'must be a string' }]],
      ['a token that is no text', { ...BODY, cost_token: true }, [{ cost_token: 'must be a string' }]],
      ['an endless token', { ...BODY, cost_token: 'x'.repeat(2001) }, [{ cost_token: expect.any(String) }]],
      [
        'an empty old token',
        { ...BODY, primetime_confirmation_token: '' },
        [{ primetime_confirmation_token: expect.any(String) }],
      ],
      ['an unknown field', { ...BODY, passengers: 2 }, [{ passengers: NOT_KNOWN }]],
      ['an unknown field of a place', place({ city: 'San Francisco' }), [{ 'origin.city': NOT_KNOWN }]],
      [
        'more than 100 miles',
        { ...BODY, destination: FRESNO },
        [{ destination: 'must be within 100 miles of origin' }],
      ],
    ])('%s', async (_, body, detail) => {
      expect(await answerTo(JSON.stringify(body))).toEqual(failure(400, 'bad_parameter', detail));
    });

    test.each([
      ['a number beyond all numbers', '{"origin":{"lat":1e999,"lng":0},"ride_type":"svc"}', 'origin.lat'],
      ['a prototype', '{"__proto__":{"x":1},"origin":{"lat":1,"lng":0},"ride_type":"svc"}', '__proto__'],
    ])('%s', async (_, body, name) => {
      expect(await answerTo(body)).toEqual(failure(400, 'bad_parameter', [{ [name]: expect.any(String) }]));
    });

    test('nothing at all', async () => {
      const { token } = await newRider();
      const { answer } = await send({ token, headers: { 'Content-Type': 'application/json' } });
      expect(answer).toEqual(failure(400, 'bad_parameter', [{ body: REQUIRED }]));
    });

    test.each([...['[]', '"svc"', 'null', '7'], ...['{"origin": {', '{origin: 1}', 'NaN', "{'ride_type': 'svc'}"]])(
      '%s is no request',
      async (body) => {
        expect(await answerTo(body)).toEqual(
          failure(400, 'bad_parameter', [{ body: expect.stringMatching(/^must be/) }]),
        );
      },
    );
  });

  describe('is refused with 400', () => {
    test.each<[string, Partial<RideRequest>, Record<string, string>[]]>([
      ['no_service_in_area', { origin: PACIFIC_OCEAN }, []],
      ['ridetype_unavailable_in_region', { ride_type: 'svc_luxsuv' }, [{ ride_type: 'is not offered here' }]],
      ['ridetype_unavailable_in_region', { ride_type: 'hovercraft' }, [{ ride_type: 'is not offered here' }]],
      // downtown only, elsewhere in this city
      [
        'ridetype_unavailable_in_region',
        { ride_type: 'svc_lux', origin: DOLORES_PARK, destination: FERRY_BUILDING },
        [{ ride_type: 'is not offered here' }],
      ],
      ['destination_prohibited', { destination: SFO_TERMINALS }, []],
      ['client_error', { destination: { lat: FERRY_BUILDING.lat + 0.0004, lng: FERRY_BUILDING.lng } }, []],
    ])('%s: %j', async (code, change, detail) => {
      expect(await request(await newRider(), change)).toEqual(failure(400, code, detail));
    });

    test('in the words of the place, where a drop-off is prohibited', async () => {
      const { error } = await (await newRider()).api.requestRide({ body: { ...BODY, destination: SFO_TERMINALS } });
      expect(error!.error_description).toMatch(/SFO terminals are not permitted/);
    });
  });

  test.each([
    ['user_payment_required', 'payment', { paymentMethod: null }],
    ['account_disabled', 'suspended', { accountDisabled: true }],
    ['user_in_driver_mode', 'driver-mode', { driverMode: true }],
    ['verified_phone_required', 'phone', { phoneVerified: false }],
    ['verified_phone_required', 'phone', { phoneNumber: null }],
  ])('%s is a 403 that leads to the page about %s: %j', async (code, page, traits) => {
    const extra = { error_uri: `http://localhost:8080/account/${page}` };
    expect(await request(await newRider(traits))).toEqual(failure(403, code, [], extra));
  });

  describe('is refused with 409', () => {
    test.each(['pending', 'accepted', 'arrived', 'pickedUp'] as const)('in a ride that is %s', async (status) => {
      const riding = await startRiding(server);
      await advanceUntil(server, riding, status);
      expect(await request(riding)).toEqual(IN_RIDE);
      expect((await storedRide(server, riding.world, riding.rideId)).status).toBe(status);
    });

    test('in a ride of another application', async () => {
      const { world, passenger } = await startRiding(server);
      const token = await server.newToken({ world, passenger, applicationId: 'another' });
      expect(await request({ api: server.client({ token }) })).toEqual(IN_RIDE);
    });

    test('not after the drop-off, nor after canceling', async () => {
      const riding = await startRiding(server);
      await advanceUntil(server, riding, 'droppedOff');
      const next = ridingOf(riding, riding.world, await requestRideOf(riding));
      expect(next.rideId).not.toBe(riding.rideId);
      await next.api.cancelRide({ params: next.params });
      expect((await request(next)).status).toBe(201);
    });

    test('when no car is near, and not when one is back', async () => {
      const rider = await newRider();
      expect(await whileItRests(() => request(rider))).toEqual(failure(409, 'no_drivers_available'));
      expect((await request(rider)).status).toBe(201);
    });
  });

  describe('at the door', () => {
    const body = JSON.stringify(BODY);

    test('a token without the scope rides.request is a 401', async () => {
      const world = await server.newWorld();
      const { passenger } = await server.newRider(world);
      const token = await server.newToken({ world, passenger, scopes: ['public', 'rides.read', 'profile'] });
      expect((await send({ token, body })).answer).toEqual(failure(401, 'insufficient_scope'));
    });

    test('a client token, which acts for nobody, is a 401', async () => {
      const token = await server.newToken({ world: await server.newWorld(), scopes: ['public', 'rides.request'] });
      expect((await send({ token, body })).answer).toEqual(failure(401, 'insufficient_scope'));
    });

    test('no token, and a made up one, are a 401 before the body is looked at', async () => {
      expect((await send({ body: '{' })).answer).toEqual(failure(401, 'invalid_token'));
      expect((await send({ token: 'made-up', body: '{' })).answer).toEqual(failure(401, 'invalid_token'));
    });

    test('an expired token is a 401 without a body', async () => {
      const world = await server.newWorld();
      const { passenger } = await server.newRider(world);
      const token = await server.newToken({ world, passenger, expiresInMs: 0 });
      const { answer, response } = await send({ token, body });
      expect(answer).toEqual({ status: 401, body: null });
      expect(response.headers.get('error')).toBe('token_expired');
    });

    test('a body of more than 64 KiB is a 413', async () => {
      const large = JSON.stringify({ ...BODY, origin: { ...FERRY_BUILDING, address: 'x'.repeat(70_000) } });
      expect(await answerTo(large)).toEqual(failure(413, 'payload_too_large'));
    });

    test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded'])('%s is a 415', async (type) => {
      expect(await answerTo(body, { 'Content-Type': type })).toEqual(failure(415, 'unsupported_media_type'));
    });

    test('the sixth call in a minute is a 429, whatever became of the others', async () => {
      const rider = await newRider();
      await request(rider);
      for (let i = 0; i < 4; i++) await send({ token: rider.token, body: '{}' });
      const { answer, response } = await send({ token: rider.token, body });
      expect(answer).toEqual(failure(429, 'rate_limit_exceeded'));
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });
});

/** The ordinary request with more in its pickup. */
function place(more: Record<string, unknown>) {
  return { ...BODY, origin: { ...FERRY_BUILDING, ...more } };
}
