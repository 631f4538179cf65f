import { describe, expect, test } from 'vitest';
import type { RideRequest } from '../../generated/types.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { latestRideOf } from '../../server/store/rides.ts';
import { ACROSS_TOWN, costTokenOf } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { PRIME_TIME_HOURS } from '../support/prime-time.ts';
import { LIVE, type Rider, type TestServer } from '../support/server.ts';
import { ridingAt } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { startRiding } from '../support/take-ride.ts';

const SACRAMENTO = { lat: 38.5816, lng: -121.4944 };
/** Friday, 23:30 in San Francisco: Prime Time. */
const FRIDAY_NIGHT = Date.UTC(2026, 4, 16, 6, 30);
const CREATED = { status: 201, body: expect.objectContaining({ status: 'pending' }) };

/** Sends `times` requests at once, with each client in turn. @returns the responses, the accepted one first */
const race = async (times: number, apis: ReadonlyArray<Rider['api']>, body: RideRequest = ACROSS_TOWN) => {
  const calls = Array.from({ length: times }, (_, i) => apis[i % apis.length]!.requestRide({ body }));
  return (await Promise.all(calls)).map(answerOf).sort((a, b) => a.status - b.status);
};

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { rateLimitMultiplier: 20 });
  const worlds: [string, () => Promise<World>][] = [
    ['live', async () => LIVE],
    ['in a sandbox', () => server.newWorld()],
  ];

  const newRider = async (traits?: Parameters<TestServer['newRider']>[1]) =>
    server.newRider(await server.newWorld(), traits);

  describe('a ride', () => {
    test('is pending, and the response has its places unchanged, and its passenger', async () => {
      const { api, passenger } = await newRider({ imageUrl: '/pictures/people/maya.svg' });
      const { lat, lng } = FERRY_BUILDING;
      const origin = { lat: lat + 0.000_000_123_4, lng: lng - 0.000_000_123_4, address: '🚕'.repeat(500) };
      const destination = { ...DOLORES_PARK, address: '' };
      const { data, response } = await api.requestRide({ body: { ...ACROSS_TOWN, origin, destination } });
      expect(response.status).toBe(201);
      expect(response.headers.get('deprecation')).toBeNull();
      expect(data).toEqual({
        ride_id: expect.stringMatching(/^[\w-]{1,64}$/),
        status: 'pending',
        ride_type: 'svc',
        origin,
        destination,
        passenger: {
          ...{ user_id: passenger.id, first_name: 'Maya', last_name: 'Okafor', rating: '4.9' },
          image_url: 'http://localhost:8080/pictures/people/maya.svg',
        },
      });
      const ride = await api.getRide({ params: { path: { ride_id: data!.ride_id } } });
      expect(ride.data).toMatchObject({ origin, destination });
    });

    test('shows a passenger without a rating, and a business profile', async () => {
      const rider = await newRider({ rating: null, businessProfile: true, imageUrl: 'https://example.com/maya.png' });
      const { data } = await rider.api.requestRide({ body: ACROSS_TOWN });
      expect(data!.passenger).toMatchObject({ rating: null, image_url: 'https://example.com/maya.png' });
      const ride = await rider.api.getRide({ params: { path: { ride_id: data!.ride_id } } });
      expect(ride.data!.ride_profile).toBe('business');
    });

    test('without a destination goes about three miles, to a drop-off without an address', async () => {
      const riding = await ridingAt(server, 'droppedOff', { destination: undefined });
      const { data } = await riding.api.getRide({ params: riding.params });
      if (data?.status !== 'droppedOff') throw new Error(`The ride is ${data?.status}`);
      expect(data).not.toHaveProperty('destination');
      expect(data.dropoff).toMatchObject({ lat: expect.any(Number), lng: expect.any(Number), address: null });
      expect(data.distance_miles).toBeGreaterThan(1.5);
      expect(data.distance_miles).toBeLessThan(5);
    });

    test('can go to a place without service that is less than 100 miles away', async () => {
      const riding = await ridingAt(server, 'droppedOff', { destination: SACRAMENTO });
      const { data } = await riding.api.getRide({ params: riding.params });
      expect(data).toMatchObject({ status: 'droppedOff', dropoff: SACRAMENTO });
    });
  });

  describe.each(worlds)('during a ride, %s', (_, worldOf) => {
    const RIDES = ['rides.request', 'rides.read'];
    test.each<[string, string, readonly string[]]>([
      ['names', 'demo', RIDES],
      ['names', 'another', RIDES],
      ['does not name', 'demo', ['rides.request', 'public', 'profile', 'offline']],
      ['does not name', 'another', ['rides.request']],
    ])('the error %s the ride to the application %s with the scopes %j', async (names, applicationId, scopes) => {
      const { world, passenger, rideId } = await startRiding(server, { world: await worldOf() });
      const token = await server.newToken({ world, passenger, applicationId, scopes });
      const refused = failure(409, 'user_already_in_ride', names === 'names' ? [{ ride_id: rideId }] : []);
      expect(answerOf(await server.client({ token }).requestRide({ body: ACROSS_TOWN }))).toEqual(refused);
    });
  });

  describe.each(worlds)('%s', (_, worldOf) => {
    test.each([2, 20])('%i concurrent requests create one ride', async (times) => {
      const world = await worldOf();
      const rider = await server.newRider(world);
      const token = await server.newToken({ ...rider, world, applicationId: 'another' });
      const answers = await race(times, [rider.api, server.client({ token })]);
      const ride = (await latestRideOf(server.store.db, world.id, rider.passenger.id))!;
      expect(ride.version).toBe(1);
      const named = failure(409, 'user_already_in_ride', [{ ride_id: ride.id }]);
      expect(answers).toEqual([CREATED, ...Array(times - 1).fill(named)]);
      expect(answers[0]!.body).toMatchObject({ ride_id: ride.id });
    });

    test('concurrent requests of twenty passengers create a ride each', async () => {
      const world = await worldOf();
      const riders = await Promise.all(Array.from({ length: 20 }, () => server.newRider(world)));
      const answers = (await Promise.all(riders.map(({ api }) => race(1, [api])))).flat();
      expect(answers).toEqual(Array(20).fill(CREATED));
      expect(new Set(answers.map(({ body }) => (body as { ride_id: string }).ride_id)).size).toBe(20);
    });
  });

  test.each([2, 20])('%i concurrent requests with one cost_token use it once', async (times) => {
    const world = await server.newWorld({ at: FRIDAY_NIGHT, settings: PRIME_TIME_HOURS });
    const rider = await server.newRider(world);
    const answers = await race(times, [rider.api], { ...ACROSS_TOWN, cost_token: await costTokenOf(rider) });
    const inRide = failure(409, 'user_already_in_ride', [{ ride_id: expect.any(String) }]);
    expect(answers).toEqual([CREATED, ...Array(times - 1).fill(inRide)]);
    for (const table of ['rides', 'timers'] as const) {
      const rows = server.store.db.selectFrom(table).select('worldId').where('worldId', '=', world.id);
      expect(await rows.execute(), table).toHaveLength(1);
    }
  });
});
