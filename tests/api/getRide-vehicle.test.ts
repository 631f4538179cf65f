import { expect, test } from 'vitest';
import { CITIES } from '../support/cities.ts';
import { sharedServer } from '../support/shared-server.ts';
import { advanceUntil, startRiding } from '../support/take-ride.ts';

/** A Tuesday noon in London, and a morning in America: no Prime Time anywhere. */
const EARLY = Date.UTC(2026, 4, 12, 11);

const server = sharedServer('sqlite');

async function vehicleIn(name: string) {
  const { center, edge } = CITIES.find((city) => city.name === name)!;
  const world = await server.newWorld({ at: EARLY });
  const riding = await startRiding(server, { world, origin: center, destination: edge });
  await advanceUntil(server, riding, 'accepted');
  const { data } = await riding.api.getRide({ params: riding.params });
  if (data?.status !== 'accepted') throw new Error(`The ride is ${data?.status}`);
  return data.vehicle;
}

test.each([
  ['San Francisco', 'CA'],
  ['New York', 'NY'],
  ['Chicago', 'IL'],
  ['Seattle', 'WA'],
  ['London', null],
])('a car in %s has a plate of the state %s', async (city, state) => {
  expect((await vehicleIn(city)).license_plate_state).toBe(state);
});
