import { describe, expect, test } from 'vitest';
import { isInside, METERS_PER_MILE, metersBetween, type Point } from '../../server/domain/geo.ts';
import { drivenSoFar, etaSeconds, legOf, positionOn } from '../../server/domain/routes/leg.ts';
import type { DrivePlan, Waypoint } from '../../server/domain/routes/plan.ts';
import { planDrive, replan } from '../../server/domain/routes/plan-drive.ts';
import { bearingBetween } from '../../server/domain/routes/plane.ts';
import { drivingSeconds, lengthMiles, route } from '../../server/domain/routes/route.ts';
import type { ServiceArea } from '../../server/domain/service-area.ts';
import {
  COUNTRYSIDE,
  DOWNTOWN,
  FAKE_AREA,
  FAR_SIDE,
  TUESDAY_MORNING as NOW,
  rectangle,
  SUBURB,
} from '../support/fake-area.ts';

const CAR: Point = { lat: 40.06, lng: -90.012 };
const SPEED = 60;

function plan(change: Partial<Parameters<typeof planDrive>[0]> = {}): DrivePlan {
  return planDrive({
    area: FAKE_AREA,
    car: CAR,
    origin: DOWNTOWN,
    destination: FAR_SIDE,
    acceptedAt: NOW,
    speed: SPEED,
    seed: 'seed',
    rideId: 'ride-1',
    driversMayCancel: false,
    ...change,
  });
}

function kmPerHour(path: readonly Waypoint[]): number[] {
  return path.slice(1).map((end, i) => (metersBetween(path[i]!, end) / (end.seconds - path[i]!.seconds)) * 3.6);
}

const PLACES: ReadonlyArray<readonly [string, Point, Point]> = [
  ['around the corner', DOWNTOWN, { lat: 40.0505, lng: -90.0005 }],
  ['in town', DOWNTOWN, SUBURB],
  ['along one street', DOWNTOWN, { lat: 40.0696, lng: -89.9945 }],
  ['across town', SUBURB, FAR_SIDE],
  ['out of town', DOWNTOWN, COUNTRYSIDE],
  ['a hundred miles', DOWNTOWN, { lat: 41.45, lng: -90.2 }],
];

describe('a route', () => {
  test.each(PLACES)(
    '%s is drivable, as long as its segments, and not much longer than a straight line',
    (_, from, to) => {
      const path = route(from, to, FAKE_AREA);
      expect(path).toEqual(route(from, to, FAKE_AREA));
      expect(path[0]).toEqual({ lat: from.lat, lng: from.lng, seconds: 0 });
      expect(path.at(-1)).toMatchObject({ lat: to.lat, lng: to.lng });
      expect(Math.min(...kmPerHour(path))).toBeGreaterThan(0);
      expect(Math.max(...kmPerHour(path))).toBeLessThan(110);
      const meters = path.slice(1).reduce((sum, end, i) => sum + metersBetween(path[i]!, end), 0);
      expect(lengthMiles(path)).toBe(Number((meters / METERS_PER_MILE).toFixed(2)));
      const detour = (lengthMiles(path) * METERS_PER_MILE) / metersBetween(from, to);
      expect(detour).toBeGreaterThan(0.9);
      expect(detour).toBeLessThan(1.45);
    },
  );

  test('in town turns several times, along and across the street grid', () => {
    const path = route(DOWNTOWN, SUBURB, FAKE_AREA);
    expect(path.length).toBeGreaterThan(6);
    for (const [i, end] of path.slice(1).entries()) {
      const offGrid = (bearingBetween(path[i]!, end) - FAKE_AREA.streetBearing + 360) % 90;
      expect(Math.min(offGrid, 90 - offGrid)).toBeLessThan(2);
    }
  });

  test('in town takes about as long as its streets allow', () => {
    const path = route(DOWNTOWN, SUBURB, FAKE_AREA);
    const average = (lengthMiles(path) * 1.609344) / (drivingSeconds(path) / 3600);
    expect(average).toBeGreaterThan(FAKE_AREA.cityKmPerHour * 0.8);
    expect(average).toBeLessThan(FAKE_AREA.cityKmPerHour);
  });

  test('over eight kilometers uses a highway in the middle, and a shorter one does not', () => {
    const speedsIn = (to: Point) => kmPerHour(route(SUBURB, to, FAKE_AREA));
    const inCity = FAKE_AREA.cityKmPerHour * 1.01;
    expect(Math.max(...speedsIn(FAR_SIDE))).toBeGreaterThan(85);
    expect(speedsIn(FAR_SIDE).at(0)).toBeLessThanOrEqual(inCity);
    expect(speedsIn(FAR_SIDE).at(-1)).toBeLessThanOrEqual(inCity);
    expect(Math.max(...speedsIn(DOWNTOWN))).toBeLessThanOrEqual(inCity);
  });

  test('to its own start is a path of two points', () => {
    const path = route(DOWNTOWN, DOWNTOWN, FAKE_AREA);
    expect(path).toHaveLength(2);
    expect(positionOn(legOf(path, NOW, 1), NOW)).toMatchObject({ lat: 40.05, lng: -90 });
  });
});

describe('a leg', () => {
  const leg = legOf(route(SUBURB, FAR_SIDE, FAKE_AREA), NOW, SPEED);

  test('lasts its driving time divided by the speed', () => {
    expect(leg.endsAt - leg.startsAt).toBeCloseTo((drivingSeconds(leg.path) * 1000) / SPEED, -1);
  });

  test('is at its start before it begins, and at its end afterwards, and heads along its current segment', () => {
    const places = [
      [NOW - 1000, SUBURB, leg.path.slice(0, 2)],
      [NOW, SUBURB, leg.path.slice(0, 2)],
      [leg.endsAt, FAR_SIDE, leg.path.slice(-2)],
      [leg.endsAt + 1000, FAR_SIDE, leg.path.slice(-2)],
    ] as const;
    for (const [at, { address: _, ...point }, [start, end]] of places) {
      const { bearing, ...position } = positionOn(leg, at);
      expect(position).toMatchObject(point);
      expect(bearing).toBeCloseTo(bearingBetween(start!, end!), 3);
    }
  });

  test.each([0, 1e-17, 1e-15, 1e-12, 1e-9])(
    'has a bearing below 360 degrees, even %d degrees west of north',
    (west) => {
      const bearing = bearingBetween({ lat: 0, lng: 0 }, { lat: 1, lng: -west });
      expect(0 <= bearing && bearing < 360).toBe(true);
    },
  );

  test('has an ETA that falls steadily from the driving time to 0, in seconds rounded up', () => {
    const etas: number[] = [];
    for (let at = NOW; at <= leg.endsAt; at += 90) {
      etas.push(etaSeconds(leg, at));
      const left = drivingSeconds(leg.path) - drivingSeconds(drivenSoFar(leg, at));
      expect(etas.at(-1)! - left).toBeGreaterThanOrEqual(0);
      expect(etas.at(-1)! - left).toBeLessThan(1);
    }
    expect(etas[0]).toBe(Math.ceil(drivingSeconds(leg.path)));
    for (const [i, eta] of etas.slice(1).entries()) expect(eta).toBeLessThan(etas[i]!);
    expect(etaSeconds(leg, leg.endsAt)).toBe(0);
    expect(etaSeconds(leg, leg.endsAt + 60_000)).toBe(0);
  });

  test('has a driven part: nothing at its start, and all of it at its end', () => {
    expect(lengthMiles(drivenSoFar(leg, NOW))).toBe(0);
    expect(drivenSoFar(leg, leg.endsAt)).toEqual(leg.path);
    const half = drivenSoFar(leg, (leg.startsAt + leg.endsAt) / 2);
    expect(drivingSeconds(half)).toBeCloseTo(drivingSeconds(leg.path) / 2, 3);
  });
});

describe('a plan', () => {
  /** Fails when a car moves farther in a tenth of a second than it can drive. */
  function expectNoJumps(positionAt: (at: number) => Point, from: number, to: number): void {
    const most = ((120 / 3.6) * SPEED) / 10;
    for (let at = from; at < to; at += 100) {
      expect(metersBetween(positionAt(at), positionAt(at + 100))).toBeLessThan(most);
    }
  }

  function positionIn(whole: DrivePlan, at: number): Point {
    return positionOn(at < whole.trip.startsAt ? whole.toPickup : whole.trip, at);
  }

  test('leads from the car to the pickup, waits a minute or more, and goes on to the drop-off', () => {
    const { toPickup, trip, driverCancelsAt } = plan();
    expect(toPickup.startsAt).toBe(NOW);
    expect(toPickup.path[0]).toMatchObject(CAR);
    expect(toPickup.path.at(-1)).toMatchObject({ lat: DOWNTOWN.lat, lng: DOWNTOWN.lng });
    expect(trip.startsAt - toPickup.endsAt).toBeGreaterThanOrEqual(60_000 / SPEED);
    expect(trip.startsAt - toPickup.endsAt).toBeLessThanOrEqual(90_000 / SPEED);
    expect(trip.path.at(-1)).toMatchObject({ lat: FAR_SIDE.lat, lng: FAR_SIDE.lng });
    expect(driverCancelsAt).toBeNull();
  });

  test('has no jumps from acceptance to drop-off', () => {
    const whole = plan();
    expectNoJumps((at) => positionIn(whole, at), NOW, whole.trip.endsAt);
  });

  const ridden = (area: ServiceArea, origin: Point) =>
    Array.from({ length: 40 }, (_, i) => plan({ area, origin, destination: null, rideId: `ride-${i}` }).trip.path);

  const endsOf = (...from: Parameters<typeof ridden>) => ridden(...from).map((path) => path.at(-1)!);

  test('without a destination rides about three miles', () => {
    const miles = ridden(FAKE_AREA, DOWNTOWN).map(lengthMiles);
    expect(Math.min(...miles)).toBeGreaterThan(2.3);
    expect(Math.max(...miles)).toBeLessThan(3.6);
  });

  test('without a destination ends inside the area and outside prohibited places, even from a corner', () => {
    const corner = { lat: 40.002, lng: -90.098 };
    const boundary = rectangle(-90.1, 40.03, -90.07, 40.06);
    const somewhere = FAKE_AREA.prohibitedDropOffs[0]!;
    const area = { ...FAKE_AREA, prohibitedDropOffs: [somewhere, { ...somewhere, boundary }] };
    const ends = endsOf(area, corner);
    expect(endsOf(FAKE_AREA, corner).some((end) => isInside(end, boundary))).toBe(true);
    expect(ends.filter((end) => isInside(end, boundary) || !isInside(end, area.boundary))).toEqual([]);
  });

  test.each([
    [1.2, 1.25],
    [0.6, 0.65],
    [0, 0.1],
  ])('without a destination is shorter where the area is narrow: %f miles', (miles, halfWidth) => {
    const across = (halfWidth * METERS_PER_MILE) / 111_195;
    const area = { ...FAKE_AREA, boundary: rectangle(-across, -across, across, across), prohibitedDropOffs: [] };
    for (const end of endsOf(area, { lat: 0, lng: 0 })) {
      expect(metersBetween({ lat: 0, lng: 0 }, end) / METERS_PER_MILE).toBeCloseTo(miles, 3);
    }
  });

  test('is given up by two in a hundred drivers on their way to the pickup, if drivers may cancel', () => {
    const plans = Array.from({ length: 1000 }, (_, i) => plan({ rideId: `ride-${i}`, driversMayCancel: true }));
    const canceled = plans.filter(({ driverCancelsAt }) => driverCancelsAt !== null);
    expect(canceled.length).toBeGreaterThan(8);
    expect(canceled.length).toBeLessThan(35);
    for (const { driverCancelsAt, toPickup } of canceled) {
      expect(driverCancelsAt).toBeGreaterThan(toPickup.startsAt);
      expect(driverCancelsAt).toBeLessThan(toPickup.endsAt);
    }
    const kept = plans.map((_, i) => plan({ rideId: `ride-${i}` }).driverCancelsAt);
    expect(kept.every((at) => at === null)).toBe(true);
  });

  test('with another destination before the pickup keeps everything except the trip', () => {
    const before = plan();
    const trip = legOf(route(DOWNTOWN, SUBURB, FAKE_AREA), before.trip.startsAt, SPEED);
    // a car that waits past its planned start has not moved
    for (const at of [NOW + 500, before.trip.startsAt + 5000]) {
      expect(replan(before, SUBURB, at, false, FAKE_AREA)).toEqual({ ...before, trip });
    }
  });

  test('with another destination during the trip continues from the position of the car', () => {
    const before = plan();
    const at = Math.round((before.trip.startsAt + before.trip.endsAt) / 2);
    const after = replan(before, SUBURB, at, true, FAKE_AREA);
    expect(after).toMatchObject({ ...before, trip: { startsAt: before.trip.startsAt } });
    expect(after.trip.path.at(-1)).toMatchObject({ lat: SUBURB.lat, lng: SUBURB.lng });
    expect(lengthMiles(drivenSoFar(after.trip, at))).toBeCloseTo(lengthMiles(drivenSoFar(before.trip, at)), 1);
    expect(metersBetween(positionOn(before.trip, at), positionOn(after.trip, at))).toBeLessThan(3);
    expectNoJumps((t) => positionIn(t < at ? before : after, t), at - 3000, after.trip.endsAt);
    expect(Math.max(...kmPerHour(after.trip.path))).toBeLessThan(110);
  });

  test('with another destination after the car has reached the old one has no jump', () => {
    const before = plan();
    const at = before.trip.endsAt + 90_000;
    const after = replan(before, SUBURB, at, true, FAKE_AREA);
    expect(metersBetween(positionOn(after.trip, at), FAR_SIDE)).toBeLessThan(3);
    expect(after.trip.endsAt).toBeGreaterThan(at);
  });
});
