import { expect, test } from 'vitest';
import { primeTimePercent } from '../../server/domain/areas.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { sanFrancisco } from '../../server/world/cities/san-francisco.ts';
import { CITIES } from '../support/cities.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../support/places.ts';
import { sharedServer } from '../support/shared-server.ts';
import { advanceUntil, ridingOf } from '../support/take-ride.ts';

/** A Monday, half past midnight in San Francisco. */
const START_OF_WEEK = Date.UTC(2026, 4, 11, 7) + 30 * MINUTE_MS;
const HOURS_OF_WEEK = Array.from({ length: 168 }, (_, hour) => hour);
const ESTIMATE = {
  start_lat: FERRY_BUILDING.lat,
  start_lng: FERRY_BUILDING.lng,
  end_lat: DOLORES_PARK.lat,
  end_lng: DOLORES_PARK.lng,
  ride_type: 'svc',
};

const server = sharedServer('sqlite');

/** Takes a ride from its price to its receipt in a sandbox that starts at an instant. Throws at the first refusal. */
async function rideAt(at: number) {
  // one seed for all: the same cars, which need to be thought of once
  const world = await server.newWorld({ at, seed: 'week' });
  const rider = await server.newRider(world);
  const { cost_estimates } = answered(await rider.api.estimateCost({ params: { query: ESTIMATE } }));
  const { cost_token, primetime_percentage, ...estimate } = cost_estimates[0]!;
  const requested = answered(
    await rider.api.requestRide({
      body: { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc', cost_token: cost_token! },
    }),
  );
  const riding = ridingOf(rider, world, requested.ride_id);
  await advanceUntil(server, riding, 'droppedOff');
  const { error } = await rider.api.rateRide({ params: riding.params, body: { rating: 5 } });
  if (error !== undefined) throw new Error(JSON.stringify(error));
  await server.advance(world, 6 * SECOND_MS);
  const { price } = answered(await rider.api.getReceipt({ params: riding.params }));
  return { ...estimate, percentage: primetime_percentage, paid: price.amount };
}

function answered<T>({ data, error }: { readonly data?: T; readonly error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

test('the same calls take a ride from price to receipt in every hour of the week', { timeout: 120_000 }, async () => {
  const percentages = new Set<string>();
  for (const hour of HOURS_OF_WEEK) {
    const at = START_OF_WEEK + hour * HOUR_MS;
    const ride = await rideAt(at).catch((error: Error) => error.message);
    expect(ride, `hour ${hour} of the week`).toMatchObject({
      percentage: `${primeTimePercent(sanFrancisco, at)}%`,
      paid: expect.any(Number),
    });
    if (typeof ride === 'string') continue;
    expect(ride.paid).toBeGreaterThanOrEqual(ride.estimated_cost_cents_min!);
    expect(ride.paid).toBeLessThanOrEqual(ride.estimated_cost_cents_max!);
    percentages.add(ride.percentage);
  }
  expect(percentages.size, 'with Prime Time and without').toBeGreaterThan(2);
});

test.each(CITIES)('$name has no Prime Time most of the week, and else a multiple of 25%', async ({ center }) => {
  const world = await server.newWorld({ at: START_OF_WEEK, seed: 'week' });
  const { api } = await server.newRider(world);
  const query = { start_lat: center.lat, start_lng: center.lng, ride_type: 'svc' };
  const percentages: string[] = [];
  for (const _ of HOURS_OF_WEEK) {
    const { cost_estimates } = answered(await api.estimateCost({ params: { query } }));
    percentages.push(cost_estimates[0]!.primetime_percentage);
    await server.advance(world, HOUR_MS);
  }
  for (const percentage of percentages) expect(percentage).toMatch(/^(0|25|50|75|100)%$/);
  expect(percentages.filter((percentage) => percentage === '0%').length).toBeGreaterThan(percentages.length * 0.75);
  expect(new Set(percentages).size).toBeGreaterThan(2);
});

test.each([
  ['San Francisco', '2026-03-08T09:59:59.999Z', '100%', 'a millisecond before two, the hour that does not exist'],
  ['San Francisco', '2026-03-08T10:00:00.000Z', '0%', 'three at once'],
  ['Chicago', '2026-03-08T07:59:59.999Z', '75%', 'a millisecond before two, the hour that does not exist'],
  ['London', '2026-03-29T00:59:59.999Z', '100%', 'a millisecond before one, the hour that does not exist'],
  ['London', '2026-03-29T01:00:00.000Z', '0%', 'two at once'],
  ['London', '2026-10-25T00:30:00.000Z', '100%', 'half past one'],
  ['London', '2026-10-25T01:30:00.000Z', '100%', 'half past one again'],
  ['London', '2026-10-25T02:00:00.000Z', '0%', 'two'],
])('when clocks change in %s, at %s, Prime Time is %s: it is %s', async (name, instant, percentage) => {
  const { center } = CITIES.find((city) => city.name === name)!;
  const { api } = await server.newRider(await server.newWorld({ at: Date.parse(instant), seed: 'week' }));
  const query = { start_lat: center.lat, start_lng: center.lng, ride_type: 'svc' };
  const { cost_estimates } = answered(await api.estimateCost({ params: { query } }));
  expect(cost_estimates[0]!.primetime_percentage).toBe(percentage);
});
