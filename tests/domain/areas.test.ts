import fc from 'fast-check';
import { DateTime } from 'luxon';
import { expect, test } from 'vitest';
import { areaAt, offeredAt, offers, primeTimePercent, prohibitedDropOffAt } from '../../server/domain/areas.ts';
import { localTimeAt } from '../../server/domain/local-time.ts';
import type { AreaRideType, Geography, ServiceArea } from '../../server/domain/service-area.ts';
import { HOUR_MS, MINUTE_MS } from '../../server/domain/time.ts';
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

test('Prime Time follows the local clock through every hour of a year, even when clocks change', () => {
  const percentAt = (weekday: number, hour: number) => {
    if (weekday === 6) return hour >= 22 ? 75 : 0;
    if (weekday === 7) return hour < 2 ? 100 : 0;
    return hour === 17 || hour === 18 ? 50 : 0;
  };
  const wrongly: string[] = [];
  for (let at = Date.UTC(2026, 0); at < Date.UTC(2027, 0); at += HOUR_MS) {
    const { weekday, hour } = DateTime.fromMillis(at, { zone: town.timeZone });
    const percents = [at, at + HOUR_MS - 1].map((instant) => primeTimePercent(town, instant));
    if (percents.some((percent) => percent !== percentAt(weekday, hour))) wrongly.push(new Date(at).toISOString());
  }
  expect(wrongly).toEqual([]);
});

const ZONES = ['America/Los_Angeles', 'America/New_York', 'Europe/London', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
/** Clocks go forward in San Francisco and back in London. */
const CHANGES = [Date.UTC(2026, 2, 8, 10), Date.UTC(2026, 9, 25, 1)];

test('the local time matches luxon in every zone, regardless of earlier calls', () => {
  const instant = fc.oneof(
    fc.integer({ min: Date.UTC(2015), max: Date.UTC(2100) }),
    fc.tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -HOUR_MS, max: HOUR_MS })).map(([at, off]) => at + off),
    // often the same minute
    fc.integer({ min: CHANGES[0]! - MINUTE_MS, max: CHANGES[0]! + MINUTE_MS }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), instant, (zone, at) => {
      const { weekday, hour, minute, second } = DateTime.fromMillis(at, { zone });
      expect(localTimeAt(zone, at)).toEqual({ weekday, hour, minute, second });
    }),
    { numRuns: 2000, seed: 1 },
  );
});
