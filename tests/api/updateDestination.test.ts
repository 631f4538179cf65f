import { describe, expect, test } from 'vitest';
import type { RequestedPlace } from '../../generated/types.ts';
import { lengthMiles } from '../../server/domain/routes/route.ts';
import { SECOND_MS } from '../../server/domain/time.ts';
import { costTokenOf } from '../support/accepted-calls.ts';
import { answerOf, failure } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { DOLORES_PARK, MISSION_DOLORES, PACIFIC_OCEAN } from '../support/places.ts';
import { PRIME_TIME_HOURS } from '../support/prime-time.ts';
import { ridingAt } from '../support/stages.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, type Riding, requestRideOf, ridingOf, startRiding, storedRide } from '../support/take-ride.ts';

const ZOO = { lat: 37.7325, lng: -122.5, address: 'San Francisco Zoo' };
/** Tuesday, 19:00 in San Francisco: Prime Time is over. */
const END_OF_RUSH_HOUR = Date.UTC(2026, 4, 13, 2);

const redirect = async ({ api, params }: Riding, body: RequestedPlace) =>
  answerOf(await api.updateDestination({ params, body }));

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  const stored = ({ world, rideId }: Riding) => storedRide(server, world, rideId);

  test('the response is the new destination, and the ride shows it', async () => {
    const riding = await startRiding(server);
    expect(await redirect(riding, ZOO)).toEqual({ status: 200, body: ZOO });
    const { data } = await riding.api.getRide({ params: riding.params });
    expect(data!.destination).toEqual(ZOO);
  });

  test('a destination without an address has none, even if the old one had one', async () => {
    const riding = await startRiding(server, { destination: { ...DOLORES_PARK, address: 'Dolores Park' } });
    const body = { ...MISSION_DOLORES, address: null };
    expect(await redirect(riding, MISSION_DOLORES)).toEqual({ status: 200, body });
  });

  test('a ride that was requested without a destination gets one', async () => {
    const riding = await startRiding(server, { destination: undefined });
    expect(await redirect(riding, ZOO)).toEqual({ status: 200, body: ZOO });
    const { trip, dropoff } = await droppedOff(riding);
    expect(trip.at(-1)).toMatchObject({ lat: ZOO.lat, lng: ZOO.lng });
    expect(dropoff).toMatchObject(ZOO);
  });

  test.each(['pending', 'accepted', 'arrived', 'pickedUp'] as const)(
    'if it changes while %s, the ride ends there, with a new distance and price',
    async (status) => {
      const [riding, straight] = await twins();
      await advanceUntil(server, riding, status);
      expect((await redirect(riding, ZOO)).status).toBe(200);

      const [changed, unchanged] = [await droppedOff(riding), await droppedOff(straight)];
      expect(changed.dropoff).toMatchObject(ZOO);
      expect(changed.trip.at(-1)).toMatchObject({ lat: ZOO.lat, lng: ZOO.lng });
      expect(changed.distanceMiles).toBe(lengthMiles(changed.trip));
      expect(changed.durationSeconds).toBe(Math.round(changed.trip.at(-1)!.seconds));
      expect(changed.distanceMiles).toBeGreaterThan(unchanged.distanceMiles);
      expect(changed.price.amount).toBeGreaterThan(unchanged.price.amount);
    },
  );

  test('Prime Time stays as agreed, but the fixed fare does not', async () => {
    const world = await server.newWorld({ at: END_OF_RUSH_HOUR - 10 * SECOND_MS, settings: PRIME_TIME_HOURS });
    const rider = await server.newRider(world);
    const riding = ridingOf(rider, world, await requestRideOf(rider, { cost_token: await costTokenOf(rider) }));
    expect((await stored(riding)).fixedFare).toBeGreaterThan(0);
    await server.advance(world, 10 * SECOND_MS);
    await redirect(riding, ZOO);
    const { primeTimePercent, lineItems } = await droppedOff(riding);
    expect(primeTimePercent).toBe(25);
    const [base, distance, time, primeTime] = lineItems;
    expect(primeTime).toMatchObject({
      type: 'Prime Time',
      amount: Math.round((base!.amount + distance!.amount + time!.amount) / 4),
    });
  });

  test.each([
    ['pickedUp', 'svc_line', 'ride_is_lyft_line'],
    ['canceled free', 'svc_line', 'ride_is_finished'],
    ['unknown', 'svc', 'ride_is_finished'],
  ] as const)('while %s with the type %s, every place is refused: %s', async (stage, ride_type, code) => {
    const riding = await ridingAt(server, stage, { ride_type });
    const before = await stored(riding);
    for (const place of [MISSION_DOLORES, PACIFIC_OCEAN]) {
      expect(await redirect(riding, place)).toEqual(failure(400, code));
    }
    expect(await stored(riding)).toEqual(before);
  });

  /** Two rides in two worlds of one seed: they take the same course until a test changes one. */
  async function twins(): Promise<[Riding, Riding]> {
    const [one, other] = [await server.newWorld({ seed: 'twins' }), await server.newWorld({ seed: 'twins' })];
    return [await startRiding(server, { world: one }), await startRiding(server, { world: other })];
  }

  /** Takes a ride to its end, rates it and waits for its payment. */
  async function droppedOff(riding: Riding) {
    await advanceUntil(server, riding, 'droppedOff');
    await riding.api.rateRide({ params: riding.params, body: { rating: 5 } });
    await server.advance(riding.world, 10 * SECOND_MS);
    const { data } = await riding.api.getRide({ params: riding.params });
    if (data?.status !== 'droppedOff') throw new Error(`The ride is ${data?.status}`);
    const { plan, distanceMiles, payment, ...ride } = await stored(riding);
    expect(data.distance_miles).toBe(distanceMiles);
    return { ...ride, ...payment!, trip: plan!.trip.path, distanceMiles: distanceMiles!, dropoff: data.dropoff };
  }
});
