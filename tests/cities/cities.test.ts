import { IANAZone } from 'luxon';
import { describe, expect, test } from 'vitest';
import { geography } from '../../server/cities/geography.ts';
import { areaAt, offeredAt } from '../../server/domain/areas.ts';
import { isInside, type Ring } from '../../server/domain/geo.ts';
import type { PrimeTimeHours, ServiceArea } from '../../server/domain/service-area.ts';
import { CITIES } from '../support/cities.ts';
import { rectangle } from '../support/fake-area.ts';

/** The lowest and highest price of a mile, in minor units. In a city, no type is cheaper than the one before it. */
const COST_PER_MILE: Readonly<Record<string, readonly [least: number, most: number]>> = {
  svc_line: [50, 175],
  svc: [60, 250],
  svc_plus: [90, 350],
  svc_premier: [120, 450],
  svc_lux: [200, 600],
  svc_luxsuv: [250, 700],
};
const HOURS_OF_WEEK = 7 * 24;

const vertices = (ring: Ring) => ring.map(([lng, lat]) => ({ lat, lng }));
const hoursOf = ({ days, fromHour, toHour }: PrimeTimeHours) =>
  days.flatMap((day) => Array.from({ length: toHour - fromHour }, (_, hour) => `${day} ${fromHour + hour}`));
const ringsOf = (area: ServiceArea): [string, Ring][] => [
  ['boundary', area.boundary],
  ...Object.values(area.zones).map(({ name, boundary }): [string, Ring] => [name, boundary]),
  ...area.prohibitedDropOffs.map(({ name, boundary }): [string, Ring] => [name, boundary]),
];

test('every city is in the table that the other city tests use', () => {
  const identityOf = ({ name, currency, timeZone }: Pick<ServiceArea, 'name' | 'currency' | 'timeZone'>) =>
    [name, currency, timeZone].join(' ');
  expect(geography.areas.map(identityOf)).toEqual(CITIES.map(identityOf));
});

test('all six ride types are available, and only svc is available in every city', () => {
  const { areas, rideTypes } = geography;
  expect([...rideTypes.keys()].sort()).toEqual(Object.keys(COST_PER_MILE).sort());
  for (const rideType of rideTypes.keys()) {
    const cities = areas.filter((area) => area.rideTypes.some((offered) => offered.rideType === rideType)).length;
    expect(cities, rideType).toBeGreaterThan(0);
    expect(cities === areas.length, rideType).toBe(rideType === 'svc');
  }
});

test('each ride type is listed under its own name, and only svc_line is shared', () => {
  for (const [key, info] of geography.rideTypes) {
    expect(info.rideType).toBe(key);
    expect(info.seats).toBeGreaterThan(0);
    expect(info.shared).toBe(key === 'svc_line');
  }
});

test('some airports are prohibited drop-offs, and there are percentage and flat regional charges', () => {
  const prohibited = geography.areas.filter((area) => area.prohibitedDropOffs.some(({ name }) => /Airport/.test(name)));
  expect(prohibited.length).toBeGreaterThanOrEqual(2);
  const charges = geography.areas.flatMap((area) => area.regionalCharges);
  expect(charges.some((charge) => 'percent' in charge && charge.percent > 0)).toBe(true);
  expect(charges.some((charge) => 'flat' in charge && Number.isInteger(charge.flat))).toBe(true);
});

test('no two cities overlap: no vertex is inside another city, and no boundary crosses or touches another', () => {
  for (const { id, boundary } of geography.areas) {
    for (const other of geography.areas.filter((area) => area.id !== id)) {
      expect(
        vertices(boundary).filter((point) => isInside(point, other.boundary)),
        id,
      ).toEqual([]);
      expect(doMeet(boundary, other.boundary), id).toBe(false);
    }
  }
});

describe.each(geography.areas.map((area) => [area.id, area] as const))('%s', (_, area) => {
  test('counts the vertices of its boundary and zones as inside', () => {
    for (const point of vertices(area.boundary)) {
      expect(areaAt(geography, point)).toBe(area);
      expect(offeredAt(area, point).length).toBeGreaterThan(0);
    }
    for (const [key, zone] of Object.entries(area.zones)) {
      const zoned = area.rideTypes.filter(({ onlyInZone }) => onlyInZone === key);
      for (const point of vertices(zone.boundary))
        expect(offeredAt(area, point)).toEqual(expect.arrayContaining(zoned));
    }
  });

  test('gives the same result for a point on an edge every time, and has only one side of the edge inside', () => {
    for (const [i, [lng, lat]] of area.boundary.slice(1).entries()) {
      const [lastLng, lastLat] = area.boundary[i]!;
      const middle = { lat: (lat + lastLat) / 2, lng: (lng + lastLng) / 2 };
      const decided = areaAt(geography, middle);
      expect(areaAt(structuredClone(geography), middle)?.id).toBe(decided?.id);
      // a meter to each side of the edge
      const [north, east] = [lng - lastLng, lastLat - lat].map(
        (d) => (d / Math.hypot(lng - lastLng, lat - lastLat)) * 1e-5,
      );
      const sides = [1, -1].map((side) =>
        areaAt(geography, { lat: middle.lat + side * north!, lng: middle.lng + side * east! }),
      );
      expect(sides.filter((side) => side === area)).toHaveLength(1);
    }
  });

  test.each(ringsOf(area))(
    'closes %s, inside its boundary, without repeating a vertex or crossing itself',
    (name, ring) => {
      expect(ring.at(-1)).toEqual(ring[0]);
      expect(new Set(ring.map(String)).size).toBe(ring.length - 1);
      expect(isSimple(ring)).toBe(true);
      if (name === 'boundary') expect(ring.length).toBeGreaterThan(40);
      else expect(vertices(ring).filter((point) => !isInside(point, area.boundary))).toEqual([]);
    },
  );

  test('has an existing time zone and an existing currency', () => {
    expect(IANAZone.isValidZone(area.timeZone)).toBe(true);
    expect(Intl.supportedValuesOf('currency')).toContain(area.currency);
  });

  test('offers each ride type at most once, svc everywhere, and the others only in its own zones', () => {
    const offered = area.rideTypes.map(({ rideType }) => rideType);
    expect(new Set(offered).size).toBe(offered.length);
    expect([...geography.rideTypes.keys()]).toEqual(expect.arrayContaining(offered));
    expect(area.rideTypes.find(({ rideType }) => rideType === 'svc')).toMatchObject({ rideType: 'svc' });
    expect(area.rideTypes.find(({ rideType }) => rideType === 'svc')?.onlyInZone).toBeUndefined();
    for (const { onlyInZone } of area.rideTypes.filter((type) => type.onlyInZone !== undefined)) {
      expect(Object.keys(area.zones)).toContain(onlyInZone);
    }
  });

  test('has prices in whole minor units, mile prices in their range, and ride types in order of price', () => {
    const byPrice = Object.keys(COST_PER_MILE);
    const types = [...area.rideTypes].sort((a, b) => byPrice.indexOf(a.rideType) - byPrice.indexOf(b.rideType));
    let milePrice = 0;
    for (const { rideType, prices, shareOfCars } of types) {
      const areWhole = Object.values(prices).every((amount) => Number.isInteger(amount) && amount > 0);
      expect(areWhole, rideType).toBe(true);
      const [least, most] = COST_PER_MILE[rideType]!;
      expect(prices.costPerMile, rideType).toBeGreaterThanOrEqual(Math.max(least, milePrice));
      expect(prices.costPerMile, rideType).toBeLessThanOrEqual(most);
      expect(shareOfCars > 0 && shareOfCars <= 1, rideType).toBe(true);
      milePrice = prices.costPerMile;
    }
  });

  test('Prime Time is in steps of 25, never overlaps, and covers less than a quarter of the week', () => {
    for (const { days, fromHour, toHour, percent } of area.primeTime) {
      expect(percent > 0 && percent % 25 === 0).toBe(true);
      expect(0 <= fromHour && fromHour < toHour && toHour <= 24).toBe(true);
      expect(days.every((day) => [1, 2, 3, 4, 5, 6, 7].includes(day))).toBe(true);
    }
    const hours = area.primeTime.flatMap(hoursOf);
    expect(new Set(hours).size).toBe(hours.length);
    expect(hours.length).toBeGreaterThan(0);
    expect(hours.length).toBeLessThan(HOURS_OF_WEEK / 4);
  });

  test('has a valid speed, street grid, number of cars, and phone number format', () => {
    expect(area.cityKmPerHour >= 15 && area.cityKmPerHour <= 35).toBe(true);
    expect(area.streetBearing >= 0 && area.streetBearing <= 90).toBe(true);
    expect(area.fleet.carsPerSquareKm >= 3 && area.fleet.carsPerSquareKm <= 8).toBe(true);
    expect(area.cancelGraceSeconds).toBeGreaterThan(0);
    const number = area.fleet.phonePrefix.padEnd(area.fleet.phoneDigits + 1, '0');
    expect(number).toMatch(/^\+[1-9]\d{9,14}$/);
    expect(number.length).toBeGreaterThan(area.fleet.phonePrefix.length);
  });
});

describe('the checks of rings', () => {
  /** Parses the corners of a closed ring. */
  const ring = (corners: string): Ring => corners.split(' ').map((corner) => corner.split(',').map(Number) as never);

  test.each<[string, string, boolean]>([
    ['a square', '0,0 1,0 1,1 0,1 0,0', true],
    ['a bow tie', '0,0 1,1 1,0 0,1 0,0', false],
    ['a ring with a vertex on one of its other edges', '0,0 4,0 4,4 2,0 0,4 0,0', false],
  ])('%s, %s, is simple: %s', (_, corners, simple) => {
    expect(isSimple(ring(corners))).toBe(simple);
  });

  test('two squares meet if one crosses or touches the other, not if they are apart', () => {
    const square = (west: number) => rectangle(west, 0, west + 1, 1);
    expect([0.5, 1, 1.01].map((west) => doMeet(square(0), square(west)))).toEqual([true, true, false]);
  });
});

type Vertex = Ring[number];

/** Returns twice the signed area of a triangle, which is positive if a, b, c turn left. */
function turn(a: Vertex, b: Vertex, c: Vertex): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** Reports whether two segments have a point in common: neither is on one side of the other, and their boxes meet. */
function touch([a, b]: readonly [Vertex, Vertex], [c, d]: readonly [Vertex, Vertex]): boolean {
  const meets = (axis: 0 | 1) =>
    Math.max(a[axis], b[axis]) >= Math.min(c[axis], d[axis]) &&
    Math.max(c[axis], d[axis]) >= Math.min(a[axis], b[axis]);
  return meets(0) && meets(1) && turn(a, b, c) * turn(a, b, d) <= 0 && turn(c, d, a) * turn(c, d, b) <= 0;
}

function edgesOf(ring: Ring) {
  return ring.slice(1).map((to, index) => [ring[index]!, to] as const);
}

/** Reports whether an edge of one closed ring meets an edge of the other. */
function doMeet(ring: Ring, other: Ring): boolean {
  return edgesOf(ring).some((edge) => edgesOf(other).some((another) => touch(edge, another)));
}

/** Reports whether the edges of a closed ring meet only at the vertices that neighbors share. */
function isSimple(ring: Ring): boolean {
  const edges = edgesOf(ring);
  return edges.every((edge, i) =>
    edges.every((other, j) => {
      const neighbors = j <= i + 1 || (i === 0 && j === edges.length - 1);
      return neighbors || !touch(edge, other);
    }),
  );
}
