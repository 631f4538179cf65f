import { describe, expect, test } from 'vitest';
import type { Car, CarQuery } from '../../server/domain/fleet/fleet.ts';
import { simulatedFleet } from '../../server/domain/fleet/simulated-fleet.ts';
import { metersBetween, type Point } from '../../server/domain/geo.ts';
import { pickupSeconds } from '../../server/domain/routes/route.ts';
import { HOUR_MS, SECOND_MS } from '../../server/domain/time.ts';
import { DOWNTOWN, FAKE_AREA, rectangle, SUBURB, TUESDAY_MORNING } from '../support/fake-area.ts';

const EVERYWHERE = { area: FAKE_AREA, point: DOWNTOWN, radiusMeters: 50_000, limit: 100_000, busy: new Set<string>() };

/** Most tests share a fleet, because a new one must first place all its cars. */
const shared = simulatedFleet('seed');

function cars(change: Partial<CarQuery> = {}, fleet = shared): Car[] {
  return fleet.carsNear({ ...EVERYWHERE, at: TUESDAY_MORNING, ...change });
}

describe('the fleet as a function of time', () => {
  test('is the same in every process, and differs by seed', () => {
    expect(cars({}, simulatedFleet('seed'))).toEqual(cars());
    expect(cars({}, simulatedFleet('other'))[0]).not.toEqual(cars()[0]);
  });

  test('reports each car that it keeps, once', () => {
    const kept: number[] = [];
    const fleet = simulatedFleet('seed', (by) => void kept.push(by));
    const total = () => kept.reduce((sum, by) => sum + by, 0);
    fleet.carsNear({ ...EVERYWHERE, at: TUESDAY_MORNING, limit: 1, radiusMeters: 1000 });
    const few = total();
    const all = cars({ offDuty: true }, fleet).length;
    // its grids count, too
    expect([few > 0, few < all / 2, total() - all]).toEqual([true, true, 20]);
    cars({ at: TUESDAY_MORNING + HOUR_MS }, fleet);
    expect(total() - all).toBe(20);
  });

  test('includes cars that are not at work when asked to', () => {
    const atWork = cars({ at: TUESDAY_MORNING });
    const all = cars({ at: TUESDAY_MORNING, offDuty: true });
    const ids = new Set(all.map(({ driverId }) => driverId));
    expect(atWork.filter(({ driverId }) => !ids.has(driverId))).toEqual([]);
    expect(all.length).toBeGreaterThan(1.1 * atWork.length);
    const hours = [0, 3, 6, 9, 12].map((hour) => TUESDAY_MORNING + hour * HOUR_MS);
    for (const at of hours) expect(new Set(cars({ at, offDuty: true }).map(({ driverId }) => driverId))).toEqual(ids);
    const busy = new Set([all[0]!.driverId]);
    expect(cars({ at: TUESDAY_MORNING, offDuty: true, busy })).toHaveLength(all.length - 1);
  });

  test('moves its cars, but none faster than 50 km/h', () => {
    const fleet = simulatedFleet('seed');
    let before = new Map<string, Point>();
    const meters: number[] = [];
    for (let second = 0; second < 300; second += 1) {
      const query = { ...EVERYWHERE, radiusMeters: 2500, at: TUESDAY_MORNING + second * SECOND_MS };
      const now = new Map(fleet.carsNear(query).map((car) => [car.driverId, car.position]));
      for (const [id, position] of now) {
        if (before.has(id)) meters.push(metersBetween(before.get(id)!, position));
      }
      before = now;
    }
    expect(meters.length).toBeGreaterThan(10_000);
    expect(Math.max(...meters)).toBeLessThan(50 / 3.6);
    expect(meters.filter((each) => each > 5).length).toBeGreaterThan(meters.length / 2);
  });

  test('has fewer cars at night, and drivers change over the day', () => {
    const morning = cars({ at: TUESDAY_MORNING - 1.5 * HOUR_MS });
    const night = cars({ at: TUESDAY_MORNING - 7 * HOUR_MS });
    expect(night.length).toBeLessThan(morning.length * 0.7);
    const atNight = new Set(night.map(({ driverId }) => driverId));
    expect(morning.some(({ driverId }) => !atNight.has(driverId))).toBe(true);
  });

  test('has about as many cars per square kilometer as the area specifies', () => {
    const busiest = cars({ at: TUESDAY_MORNING + 7.5 * HOUR_MS });
    const squareKm = 271;
    expect(busiest.length / squareKm).toBeGreaterThan(4.5);
    expect(busiest.length / squareKm).toBeLessThan(5.7);
  });
});

describe('cars near a point', () => {
  test.each([0.2, 5.5, 300])(
    'are the nearest of all in a town with %f cars per square kilometer',
    (carsPerSquareKm) => {
      const boundary = rectangle(-90.03, 40.04, -89.98, 40.08);
      const area = { ...FAKE_AREA, boundary, fleet: { ...FAKE_AREA.fleet, carsPerSquareKm } };
      const [fleet, whole] = [simulatedFleet('seed'), simulatedFleet('seed')];
      const [point, at] = [DOWNTOWN, TUESDAY_MORNING];
      for (const [north, east, ms] of [
        [0, 0, 0],
        [0.01, -0.02, 9999],
        [0.029, 0.019, 10_001],
        [0.05, 0.05, HOUR_MS],
        [0, 0, 1],
      ]) {
        const there = { lat: point.lat + north!, lng: point.lng + east! };
        for (const rideType of ['svc', 'svc_plus', 'svc_lux']) {
          const query = { ...EVERYWHERE, area, point: there, at: at + ms!, rideTypes: [rideType] };
          const all = whole.carsNear(query);
          const meters = all.map(({ position }) => metersBetween(there, position));
          expect(meters).toEqual([...meters].sort((a, b) => a - b));
          expect(all.filter((car) => !car.rideTypes.includes(rideType))).toEqual([]);
          for (const limit of [1, 4, 40]) expect(fleet.carsNear({ ...query, limit })).toEqual(all.slice(0, limit));
          for (const radiusMeters of [200, 1000]) {
            const within = all.filter((_, index) => meters[index]! <= radiusMeters);
            expect(fleet.carsNear({ ...query, radiusMeters })).toEqual(within);
          }
        }
      }
    },
  );

  test('exclude the cars of busy drivers', () => {
    const [first, second] = cars();
    expect(cars({ busy: new Set([first!.driverId]), limit: 1 })).toEqual([second]);
  });

  test('leave a trail of their five latest positions, oldest first', () => {
    const car = cars({ limit: 1 })[0]!;
    expect(car.trail).toHaveLength(5);
    expect(car.trail[4]).toMatchObject(car.position);
    const steps = car.trail.slice(1).map((point, i) => metersBetween(car.trail[i]!, point));
    for (const meters of steps) expect(meters).toBeLessThan((50 / 3.6) * 5);
    const before = cars({ at: TUESDAY_MORNING - 5 * SECOND_MS }).find(({ driverId }) => driverId === car.driverId);
    expect(before!.position).toEqual({ lat: car.trail[3]!.lat, lng: car.trail[3]!.lng });
  });

  test('do not exist far away from the area', () => {
    expect(cars({ point: { lat: 10, lng: 10 }, radiusMeters: 5000 })).toEqual([]);
  });

  test('need at least a second to arrive', () => {
    expect(pickupSeconds(DOWNTOWN, DOWNTOWN, FAKE_AREA)).toBe(1);
    expect(pickupSeconds(SUBURB, DOWNTOWN, FAKE_AREA)).toBeGreaterThan(300);
  });
});

describe('drivers', () => {
  test('have unique, opaque ids, and are the same in every fleet with the same seed', () => {
    const another = simulatedFleet('seed');
    const ids = cars().map(({ driverId }) => driverId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const driverId of ids) {
      expect(driverId).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      const driver = shared.driverOf(FAKE_AREA, driverId);
      expect(driver).toEqual(another.driverOf(FAKE_AREA, driverId));
      expect(driver.driverId).toBe(driverId);
    }
  });

  test.each(['', 'nobody', 'f'.repeat(32)])('an unknown driver ID (%j) is an error', (id) => {
    expect(() => shared.driverOf(FAKE_AREA, id)).toThrow('No driver');
  });
});
