import type { RatingRequest, RideRequest } from '../../generated/types.ts';
import { operationsOf } from '../../scripts/contract/bundle.ts';
import { contract, document } from '../../scripts/contract/read.ts';

const { examples } = document.components;

/** The values of the contract's examples that a server can reproduce. */
export const CITY_STORY = {
  estimate: examples.cost_estimates.value.cost_estimates[0],
  ride: examples.ride_paid.value,
  receipt: examples.receipt.value,
  requestBody: bodyExample<Required<RideRequest>>('requestRide', 'ferry_building_to_dolores_park'),
  rating: bodyExample<RatingRequest>('rateRide', 'five_stars_and_a_tip'),
};

function bodyExample<Body>(operationId: string, name: string): Body {
  const { body } = operationsOf(contract).find(({ id }) => id === operationId)!;
  return body!.examples[name]!.value as Body;
}
