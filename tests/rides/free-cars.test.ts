import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newYork } from '../../server/cities/new-york.ts';
import { simulatedFleet } from '../../server/domain/fleet/simulated-fleet.ts';
import type { Ride } from '../../server/domain/rides/ride.ts';
import type { ServiceArea } from '../../server/domain/service-area.ts';
import { HOUR_MS, MINUTE_MS } from '../../server/domain/time.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';
import { carOfCity, DRIVER_REST_MS, freeCarsAt } from '../../server/rides/dispatch.ts';
import { busyDriverIds, insertRide } from '../../server/store/rides.ts';
import { newStepGate } from '../../server/workers/step-gate.ts';
import { driver, ride } from '../store/samples.ts';
import { engines } from '../support/database.ts';
import { DOWNTOWN, FAKE_AREA, FAKE_GEOGRAPHY, TUESDAY_MORNING } from '../support/fake-area.ts';
import { storeForEach } from '../support/started.ts';

const fleets = new Map(['one', 'another'].map((seed) => [seed, simulatedFleet(seed)]));
const cars = { geography: FAKE_GEOGRAPHY, fleetOf: (seed: string) => fleets.get(seed)! };
const worldOf = (seed: string) => ({ ...LIVE_WORLD, id: seed, seed });

/** A driver's ride: under way, or over within the last 20 minutes. */
function rideOf(worldId: string, id: string, number: number): Ride {
  const over = { status: 'droppedOff', droppedOffAt: TUESDAY_MORNING - (number % 20) * MINUTE_MS } as const;
  const change = number % 2 === 0 ? over : ({ status: 'accepted' } as const);
  return ride({ worldId, id, passengerId: id, driver: driver(id), ...change });
}

describe.each(engines)('on %s', (engine) => {
  const store = storeForEach(engine);

  /** Gives drivers of the town a ride, current or finished. @returns all drivers. @param nth 1: all of them; 2: every second one */
  async function makeBusy(seed: string, nth: number): Promise<readonly string[]> {
    const everywhere = { area: FAKE_AREA, point: DOWNTOWN, radiusMeters: 50_000, limit: 10_000 };
    const everyone = { ...everywhere, at: TUESDAY_MORNING, offDuty: true, busy: new Set<string>() };
    const drivers = fleets
      .get(seed)!
      .carsNear(everyone)
      .map(({ driverId }) => driverId);
    await store.transaction(async (tx) => {
      for (const [number, id] of drivers.filter((_, index) => index % nth !== 1).entries()) {
        await insertRide(tx, rideOf(seed, id, number));
      }
    });
    return drivers;
  }

  test('free cars are the cars of the fleet without busy drivers, although the query covers only nearby cars', async () => {
    const drivers = new Map([['one', await makeBusy('one', 2)]]);
    // enough busy cars that some searches need a second query
    drivers.set('another', await makeBusy('another', 1));
    const point = fc.record({
      lat: fc.double({ min: 39.98, max: 40.17, noNaN: true }),
      lng: fc.double({ min: -90.12, max: -89.88, noNaN: true }),
    });
    let found = 0;
    const search = fc.record({
      seed: fc.constantFrom(...fleets.keys()),
      at: fc.integer({ min: TUESDAY_MORNING, max: TUESDAY_MORNING + HOUR_MS / 2 }),
      point,
      rideTypes: fc.subarray(FAKE_AREA.rideTypes.map(({ rideType }) => rideType)),
      limit: fc.constantFrom(1, 5, 40),
    });
    await fc.assert(
      fc.asyncProperty(search, async ({ seed, at, point, rideTypes, limit }) => {
        const search = { area: FAKE_AREA, point, rideTypes, limit };
        const freeCars = await freeCarsAt(store.db, cars, worldOf(seed), at, search);
        const busy = await busyDriverIds(store.db, seed, at - DRIVER_REST_MS, drivers.get(seed)!);
        for (const rideType of rideTypes) {
          const all = cars.fleetOf(seed).carsNear({ area: FAKE_AREA, point, at, rideTypes: [rideType], limit, busy });
          expect(freeCars(rideType)).toEqual(all);
          found += all.length;
        }
      }),
      { seed: 1 },
    );
    expect(found).toBeGreaterThan(1000);
  });

  test('a search of a whole city looks at each driver once or twice, in steps, and one city comes after the other', async () => {
    const everyone = await makeBusy('one', 1);
    await store.db.updateTable('rides').set({ active: 1, finishedAt: null }).execute();
    const [asked, steps] = [[] as string[], newStepGate()];
    const fleetOf = (seed: string) => {
      const { carsNear, ...fleet } = fleets.get('one')!;
      const looking: typeof carsNear = (query) => {
        asked.push(seed);
        return carsNear(query);
      };
      return { ...fleet, carsNear: looking };
    };
    const search = { area: FAKE_AREA, point: DOWNTOWN, rideType: FAKE_AREA.rideTypes[0]!.rideType };
    const worlds = ['a', 'b', 'c'].map((seed) => ({ ...worldOf('one'), seed, applicationId: seed }));
    const found = await Promise.all(
      worlds.map((world) => carOfCity(store.db, { fleetOf, steps }, world, TUESDAY_MORNING, search)),
    );
    expect(everyone.length).toBeGreaterThan(300);
    expect(found).toEqual([null, null, null]);
    expect(asked).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
  });

  test('a search of a whole city makes the cars in many turns of the event loop', async () => {
    const fleet = simulatedFleet('new');
    let turn = 0;
    const made: number[] = [];
    const nextTurn = () => {
      turn += 1;
      counting = setImmediate(nextTurn);
    };
    let counting = setImmediate(nextTurn);
    const makeSome = (area: ServiceArea) => {
      made.push(turn);
      return fleet.makeSome(area);
    };
    const withoutCars = { ...fleet, carsNear: () => [], makeSome };
    const search = { area: newYork, point: { lat: 40.7549, lng: -73.984 }, rideType: 'svc' };
    await carOfCity(
      store.db,
      { fleetOf: () => withoutCars, steps: newStepGate() },
      worldOf('new'),
      TUESDAY_MORNING,
      search,
    );
    clearImmediate(counting);
    expect([made.length > 10, new Set(made).size]).toEqual([true, made.length]);
  });
});
