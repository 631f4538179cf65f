import { document } from '../../server/http/contract.ts';

const { examples } = document.components;
const { paths } = document;

/** The values of the contract's examples that a server can be held to. */
export const CITY_STORY = {
  estimate: examples.cost_estimates.value.cost_estimates[0],
  ride: examples.ride_paid.value,
  receipt: examples.receipt.value,
  requestBody: bodyExample('requestRide', 'ferry_building_to_dolores_park'),
  rating: bodyExample('rateRide', 'five_stars_and_a_tip'),
};

function bodyExample(operationId: string, name: string) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item as object));
  const operation = operations.find((candidate) => candidate.operationId === operationId);
  return operation.requestBody.content['application/json'].examples[name].value;
}
