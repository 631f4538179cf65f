import { describe, expect, test } from 'vitest';
import { geography } from '../../server/cities/geography.ts';
import { simulatedFleet } from '../../server/domain/fleet/simulated-fleet.ts';
import { MODELS, type VehicleClass } from '../../server/domain/fleet/vehicle.ts';
import { isInside } from '../../server/domain/geo.ts';
import { HOUR_MS } from '../../server/domain/time.ts';
import { CITIES } from '../support/cities.ts';

const FICTION = /^\+1(212|206|312|415)55501\d{2}$|^\+447700900\d{3}$/;
/** The state on the license plates. */
const STATES: Readonly<Record<string, string | null>> = {
  'San Francisco': 'CA',
  'New York': 'NY',
  Chicago: 'IL',
  Seattle: 'WA',
  London: null,
};
/** The vehicle classes that serve each ride type. */
const SUITABLE: Readonly<Record<string, readonly VehicleClass[]>> = {
  svc_line: ['regular', 'large', 'premium'],
  svc: ['regular', 'large', 'premium'],
  svc_plus: ['large'],
  svc_premier: ['premium', 'luxury', 'luxuryLarge'],
  svc_lux: ['luxury', 'luxuryLarge'],
  svc_luxsuv: ['luxuryLarge'],
};
const NIGHT = Date.UTC(2026, 4, 12, 3);

describe.each(CITIES)('the fleet of $name', ({ name, center, rideTypes }) => {
  const area = geography.areas.find((candidate) => candidate.name === name)!;
  const fleet = simulatedFleet(name);
  const carsAt = (at: number, town = area, types?: string[]) =>
    fleet.carsNear({
      area: town,
      point: center,
      at,
      radiusMeters: 8000,
      limit: 200,
      busy: new Set(),
      rideTypes: types,
    });

  test('has plates, phone numbers, beacon colors and ratings in the documented format', () => {
    const plate = new RegExp(`^${area.fleet.platePattern.replaceAll('A', '[A-Z]').replaceAll('9', '\\d')}$`);
    for (const { driverId } of carsAt(NIGHT)) {
      const { phoneNumber, rating, beaconColor, vehicle, firstName } = fleet.driverOf(area, driverId);
      expect(phoneNumber).toMatch(FICTION);
      expect(rating).toMatch(/^[0-4]\.\d$|^5\.0$/);
      expect(beaconColor).toMatch(/^#[0-9A-F]{6}$/);
      expect(firstName).not.toBe('');
      expect(vehicle.licensePlate).toMatch(plate);
      expect(vehicle.licensePlateState).toBe(STATES[name]);
      expect(vehicle.year).toSatisfy(Number.isInteger);
      for (const word of [vehicle.make, vehicle.model, vehicle.color]) expect(word).not.toBe('');
    }
  });

  test.each(rideTypes)('serves %s with suitable cars', (rideType) => {
    const models = carsAt(NIGHT, area, [rideType]).map(({ driverId }) => {
      const { make, model } = fleet.driverOf(area, driverId).vehicle;
      return `${make} ${model}`;
    });
    const suitable = SUITABLE[rideType]!.flatMap((kind) => MODELS[kind].map((words) => words.join(' ')));
    expect(models.length).toBeGreaterThan(10);
    expect(models.filter((model) => !suitable.includes(model))).toEqual([]);
  });

  test('has bearings from 0 to below 360 degrees and stays inside the area at every hour', () => {
    for (let hour = 0; hour < 24; hour += 5) {
      const cars = carsAt(NIGHT + hour * HOUR_MS);
      expect(cars.length).toBeGreaterThan(100);
      for (const { bearing, trail } of cars) {
        for (const heading of [bearing, ...trail.map((position) => position.bearing)]) {
          expect(0 <= heading && heading < 360).toBe(true);
        }
        expect(trail.every((position) => isInside(position, area.boundary))).toBe(true);
      }
    }
  });

  test('has no bearing of 360 degrees, even if its streets run due east', () => {
    const headings = carsAt(NIGHT, { ...area, streetBearing: 90 }).map(({ bearing }) => bearing);
    expect([...new Set(headings)].sort((a, b) => a - b)).toEqual([0, 90, 180, 270]);
  });
});
