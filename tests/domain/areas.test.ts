import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { areaAt, offeredAt, offers, primeTimePercent, prohibitedDropOffAt } from '../../server/domain/areas.ts';
import type { AreaRideType, Geography, ServiceArea } from '../../server/domain/service-area.ts';
import { FAKE_AREA, PRICES, rectangle } from '../support/fake-area.ts';

const square = (west: number, south: number, side: number) => rectangle(west, south, west + side, south + side);

const everywhere: AreaRideType = { rideType: 'svc', prices: PRICES, shareOfCars: 1 };
const inTheCenter: AreaRideType = { rideType: 'svc_lux', prices: PRICES, shareOfCars: 1, onlyInZone: 'center' };

const town: ServiceArea = {
  ...FAKE_AREA,
  id: 'town',
  timeZone: 'America/New_York',
  boundary: square(0, 0, 1),
  zones: { center: { name: 'the center', boundary: square(0.4, 0.4, 0.2) } },
  prohibitedDropOffs: [{ name: 'Airport', boundary: square(0.8, 0.8, 0.1), message: 'Not here.' }],
  rideTypes: [everywhere, inTheCenter],
  primeTime: [
    { days: [1, 2, 3, 4, 5], fromHour: 17, toHour: 19, percent: 50 },
    { days: [6], fromHour: 22, toHour: 24, percent: 75 },
    { days: [7], fromHour: 0, toHour: 2, percent: 100 },
  ],
};
const village: ServiceArea = { ...town, id: 'village', boundary: square(5, 5, 1), zones: {}, prohibitedDropOffs: [] };
const geography: Geography = { areas: [town, village], rideTypes: new Map() };

const center = { lat: 0.5, lng: 0.5 };
const outskirts = { lat: 0.1, lng: 0.1 };
const nowhere = { lat: 3, lng: 3 };

test.each([
  ['in a town', center, 'town'],
  ['in a village', { lat: 5.5, lng: 5.5 }, 'village'],
  ['on an edge, which is inside', { lat: 0.5, lng: 0 }, 'town'],
  ['outside every area', nowhere, undefined],
])('a point %s', (_, point, id) => {
  expect(areaAt(geography, point)?.id).toBe(id);
});

test.each([
  ['everything inside the zone', town, center, [everywhere, inTheCenter]],
  ['no zone-only types elsewhere', town, outskirts, [everywhere]],
  ['nothing outside the area', town, nowhere, []],
  ['no zone-only types without the zone', { ...town, zones: {} }, center, [everywhere]],
])('an area offers %s', (_, area, point, offered) => {
  expect(offeredAt(area, point)).toEqual(offered);
});

test('an area offers a type even if only one zone has it', () => {
  expect(['svc', 'svc_lux', 'svc_luxsuv'].map((type) => offers(town, type))).toEqual([true, true, false]);
});

test('a prohibited drop-off is found inside its boundary, and not elsewhere', () => {
  const found = [{ lat: 0.85, lng: 0.85 }, center, nowhere].map((point) => prohibitedDropOffAt(geography, point)?.name);
  expect(found).toEqual(['Airport', undefined, undefined]);
});

describe('primeTimePercent', () => {
  test.each([
    // 2026-03-02 is a Monday; New York is five hours behind UTC
    ['2026-03-02T21:59:59.999Z', 0, 'a millisecond before it starts'],
    ['2026-03-02T22:00:00.000Z', 50, 'when it starts'],
    ['2026-03-02T23:59:59.999Z', 50, 'a millisecond before it ends'],
    ['2026-03-03T00:00:00.000Z', 0, 'when it ends'],
    ['2026-03-07T22:30:00.000Z', 0, 'at the same hour of a Saturday'],
    ['2026-03-08T04:59:59.999Z', 75, 'a millisecond before Saturday midnight'],
    ['2026-03-08T05:00:00.000Z', 100, 'at Saturday midnight, which is Sunday'],
    ['2026-03-09T05:30:00.000Z', 0, 'at half past one on a Monday'],
    // days when clocks change
    ['2026-03-08T06:59:59.999Z', 100, 'the last millisecond before clocks go forward, 01:59 local'],
    ['2026-03-08T07:00:00.000Z', 0, 'clocks have gone forward to 03:00 local'],
    ['2026-03-09T21:00:00.000Z', 50, 'the Monday after: 17:00 local is an hour earlier in UTC'],
    ['2026-03-09T23:00:00.000Z', 0, 'the Monday after: 19:00 local, when it ends'],
    ['2026-11-01T05:30:00.000Z', 100, 'clocks will go back: 01:30 local, the first time'],
    ['2026-11-01T06:30:00.000Z', 100, 'clocks have gone back: 01:30 local, the second time'],
    ['2026-11-01T07:00:00.000Z', 0, '02:00 local'],
  ])('at %s is %i: %s', (instant, percent) => {
    expect(primeTimePercent(town, Date.parse(instant))).toBe(percent);
  });

  test('matches the table in each hour of an ordinary week', () => {
    const monday = DateTime.fromISO('2026-06-01T00:00', { zone: town.timeZone });
    const week = Array.from({ length: 168 }, (_, hour) =>
      primeTimePercent(town, monday.plus({ hours: hour }).toMillis()),
    );
    const hoursAt = (percent: number) => week.filter((each) => each === percent).length;
    expect([0, 50, 75, 100].map(hoursAt)).toEqual([154, 10, 2, 2]);
  });
});
