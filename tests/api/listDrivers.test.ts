import { describe, expect, test } from 'vitest';
import type { Point } from '../../server/domain/geo.ts';
import { MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { CITIES } from '../support/cities.ts';
import { engines } from '../support/database.ts';
import { FERRY_BUILDING } from '../support/places.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, startRiding, timeIn } from '../support/take-ride.ts';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  const newApi = async (world?: World) =>
    server.client({ token: await server.newToken({ world: world ?? (await server.newWorld()) }) });

  test.each(CITIES)('$name shows up to five drivers of each ride type', async ({ center, rideTypes }) => {
    const { data } = await (await newApi()).listDrivers({ params: { query: center } });
    expect(data!.nearby_drivers.map(({ ride_type }) => ride_type).sort()).toEqual([...rideTypes].sort());
    for (const { drivers } of data!.nearby_drivers) expect(drivers.length).toBeLessThanOrEqual(5);
    expect(data!.nearby_drivers.find(({ ride_type }) => ride_type === 'svc')!.drivers).toHaveLength(5);
  });

  /** The cars around the Ferry Building in the fleet of a world, including busy ones. */
  const carsAt = ({ seed }: World, at: number, ofType: { readonly rideTypes?: readonly string[] } = {}) => {
    const area = server.parts.geography.areas[0]!;
    const query = { area, point: FERRY_BUILDING, at, busy: new Set<string>(), limit: 1000, ...ofType };
    return server.parts.fleetOf(seed).carsNear(query);
  };
  const positionAt = (world: World, at: number, driverId: string) =>
    carsAt(world, at).find((car) => car.driverId === driverId)!.position;

  /** The current positions of the cars around a place, as the response shows them. */
  async function shownAround(world: World, place: Point): Promise<unknown[]> {
    const { data } = await (await newApi(world)).listDrivers({ params: { query: place } });
    return data!.nearby_drivers.flatMap(({ drivers }) => drivers.map(({ locations }) => locations.at(-1)));
  }

  test('a driver is shown only as the last five positions of a car, five seconds apart', async () => {
    const world = await server.newWorld();
    const at = await timeIn(server, world);
    const { data } = await (await newApi(world)).listDrivers({ params: { query: FERRY_BUILDING } });
    for (const { ride_type, drivers } of data!.nearby_drivers) {
      const nearest = carsAt(world, at, { rideTypes: [ride_type] }).slice(0, 5);
      const instants = [20, 15, 10, 5, 0].map((seconds) => at - seconds * SECOND_MS);
      const trailOf = (id: string) => ({ locations: instants.map((instant) => positionAt(world, instant, id)) });
      expect(drivers).toEqual(nearest.map(({ driverId }) => trailOf(driverId)));
    }
  });

  test('a driver who has just ended a ride rests for ten minutes', async () => {
    const riding = await startRiding(server);
    const { driver } = await advanceUntil(server, riding, 'accepted');
    const look = async () => {
      const position = positionAt(riding.world, await timeIn(server, riding.world), driver!.driverId);
      return { position, shown: await shownAround(riding.world, position) };
    };
    await riding.api.cancelRide({ params: riding.params });
    await server.advance(riding.world, 10 * MINUTE_MS - 1);
    const resting = await look();
    expect(resting.shown).not.toContainEqual(resting.position);
    await server.advance(riding.world, 2);
    const back = await look();
    expect(back.shown).toContainEqual(back.position);
  });
});
