import { expect, test } from 'vitest';
import { sanFrancisco } from '../../server/cities/san-francisco.ts';
import { primeTimePercent } from '../../server/domain/areas.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { tripBetween } from '../support/places.ts';
import { PRIME_TIME_HOURS } from '../support/prime-time.ts';
import { rounds } from '../support/run.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, requestRideOf, ridingOf } from '../support/take-ride.ts';

/** A Monday, 00:30 in San Francisco. */
const START_OF_WEEK = Date.UTC(2026, 4, 11, 7) + 30 * MINUTE_MS;
const WEEK_HOURS = 7 * 24;
/** In steps of 59 hours, 24 rides meet every hour of the day, every day and each Prime Time, and 168 rides the whole week. */
const HOURS = Array.from({ length: rounds({ usually: 24, atLength: WEEK_HOURS }) }, (_, n) => (n * 59) % WEEK_HOURS);

const server = testServer('sqlite');

/** Takes a ride from its price to its receipt, in a sandbox that starts at `at`. Throws at the first refusal. */
async function rideAt(at: number) {
  const world = await server.newWorld({ at, settings: PRIME_TIME_HOURS });
  const rider = await server.newRider(world);
  const { cost_estimates } = answered(
    await rider.api.estimateCost({ params: { query: { ...tripBetween(), ride_type: 'svc' } } }),
  );
  const { cost_token, primetime_percentage, ...estimate } = cost_estimates[0]!;
  const riding = ridingOf(rider, world, await requestRideOf(rider, { cost_token: cost_token! }));
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

test('the same calls take a ride from price to receipt at every hour and on every day', async () => {
  const percentages = new Set<string>();
  for (const hour of HOURS) {
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
