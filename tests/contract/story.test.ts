import { expect, test } from 'vitest';
import { testServer } from '../support/started.ts';
import { CITY_STORY } from '../support/story.ts';

/** Thursday 14 May 2026, 18:04:05 in San Francisco, when the passenger in the examples requests a ride. */
const STORY_BEGINS = Date.UTC(2026, 4, 15, 1, 4, 5);

const server = testServer('sqlite');

test("a sandbox returns the figures in the contract's examples", async () => {
  const { estimate, ride, receipt, requestBody, rating } = CITY_STORY;
  const world = await server.newWorld({ at: STORY_BEGINS });
  const { api } = await server.newRider(world);
  const query = {
    start_lat: requestBody.origin.lat,
    start_lng: requestBody.origin.lng,
    end_lat: requestBody.destination!.lat,
    end_lng: requestBody.destination!.lng,
    ride_type: requestBody.ride_type,
  };
  const cost = await api.estimateCost({ params: { query } });
  const token = expect.any(String);
  expect(cost.data!.cost_estimates).toEqual([{ ...estimate, cost_token: token, primetime_confirmation_token: token }]);

  const body = { ...requestBody, cost_token: cost.data!.cost_estimates[0]!.cost_token! };
  const path = { ride_id: (await api.requestRide({ body })).data!.ride_id };
  await server.advance(world, 3_600_000);
  await api.rateRide({ params: { path }, body: rating });
  await server.advance(world, 10_000);
  const { data: paid } = await api.getRide({ params: { path } });
  const { distance_miles, duration_seconds, primetime_percentage } = ride;
  // the examples have whole seconds, but a clock has milliseconds
  const tookSeconds = expect.closeTo(duration_seconds, 0);
  expect(paid).toMatchObject({ distance_miles, duration_seconds: tookSeconds, primetime_percentage });
  const { price, line_items, charges } = receipt;
  expect((await api.getReceipt({ params: { path } })).data).toMatchObject({ price, line_items, charges });
});
