import { expect, test } from 'vitest';
import { CITIES, type City } from '../support/cities.ts';
import { sharedServer } from '../support/shared-server.ts';
import { advanceUntil, requestRideOf, ridingOf } from '../support/take-ride.ts';

/** What plates say of where a car is from. */
const STATES: Readonly<Record<string, string | null>> = {
  'San Francisco': 'CA',
  'New York': 'NY',
  Chicago: 'IL',
  Seattle: 'WA',
  London: null,
};
const MIDDAY = Date.UTC(2026, 4, 12, 19);

const server = sharedServer('sqlite');

async function acceptedRideIn({ center, edge }: City) {
  // a Tuesday without Prime Time in all the cities
  const world = await server.newWorld({ at: MIDDAY });
  const rider = await server.newRider(world);
  const riding = ridingOf(rider, world, await requestRideOf(rider, { origin: center, destination: edge }));
  await advanceUntil(server, riding, 'accepted');
  return riding;
}

test.each(CITIES)('in $name driver and car are shown as the city has them', async (city) => {
  const { api, params } = await acceptedRideIn(city);
  const { data } = await api.getRide({ params });
  if (data?.status !== 'accepted') throw new Error(`The ride is ${data?.status}`);
  const { driver, vehicle, beacon_color } = data;
  expect(driver.rating).toMatch(/^[0-5]\.\d$/);
  expect(driver.phone_number).toMatch(city.name === 'London' ? /^\+447700900\d{3}$/ : /^\+1\d{3}55501\d{2}$/);
  expect(vehicle.license_plate_state).toBe(STATES[city.name]);
  expect(vehicle.year).toSatisfy(Number.isInteger);
  expect(decodeURI(vehicle.image_url)).toContain(`/${vehicle.make}/${vehicle.model}/${vehicle.color}.svg`);
  expect(beacon_color).toMatch(/^#[0-9A-F]{6}$/);
});

test.each(CITIES)('in $name a car that drives has a heading, and one that waits has none', async (city) => {
  const riding = await acceptedRideIn(city);
  for (const status of ['accepted', 'arrived', 'pickedUp'] as const) {
    await advanceUntil(server, riding, status);
    const { data } = await riding.api.getRide({ params: riding.params });
    if (data?.status !== status) throw new Error(`The ride is ${data?.status}`);
    const { bearing } = data.location;
    if (status === 'arrived') expect(bearing).toBeNull();
    else expect(bearing !== null && 0 <= bearing && bearing < 360).toBe(true);
  }
});
