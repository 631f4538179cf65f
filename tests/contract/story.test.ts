import { expect, test } from 'vitest';
import type { RatingRequest, RideRequest } from '../../generated/types.ts';
import { operationsOf } from '../../scripts/contract/bundle.ts';
import { contract, document } from '../../scripts/contract/read.ts';
import { tripBetween } from '../support/places.ts';
import { PRIME_TIME_HOURS } from '../support/prime-time.ts';
import { testServer } from '../support/started.ts';

/** Thursday 14 May 2026, 18:04:05 in San Francisco, when the passenger in the examples requests a ride. */
const STORY_BEGINS = Date.UTC(2026, 4, 15, 1, 4, 5);

const { cost_estimates, ride_paid, receipt } = document.components.examples;

function bodyExample<Body>(operationId: string, name: string): Body {
  const { body } = operationsOf(contract).find(({ id }) => id === operationId)!;
  return body!.examples[name]!.value as Body;
}

const server = testServer('sqlite');

test("a sandbox returns the figures in the contract's examples", async () => {
  const requestBody = bodyExample<Required<RideRequest>>('requestRide', 'ferry_building_to_dolores_park');
  const rating = bodyExample<RatingRequest>('rateRide', 'five_stars_and_a_tip');
  const world = await server.newWorld({ at: STORY_BEGINS, settings: PRIME_TIME_HOURS });
  const { api } = await server.newRider(world);
  const query = { ...tripBetween(requestBody.origin, requestBody.destination!), ride_type: requestBody.ride_type };
  const cost = await api.estimateCost({ params: { query } });
  const tokens = { cost_token: expect.any(String), primetime_confirmation_token: expect.any(String) };
  expect(cost.data!.cost_estimates).toEqual([{ ...cost_estimates.value.cost_estimates[0], ...tokens }]);

  const body = { ...requestBody, cost_token: cost.data!.cost_estimates[0]!.cost_token! };
  const path = { ride_id: (await api.requestRide({ body })).data!.ride_id };
  await server.advance(world, 3_600_000);
  await api.rateRide({ params: { path }, body: rating });
  await server.advance(world, 10_000);
  const { data: paid } = await api.getRide({ params: { path } });
  const { distance_miles, duration_seconds, primetime_percentage } = ride_paid.value;
  expect(paid).toMatchObject({ distance_miles, duration_seconds, primetime_percentage });
  const { price, line_items, charges } = receipt.value;
  expect((await api.getReceipt({ params: { path } })).data).toMatchObject({ price, line_items, charges });
});
