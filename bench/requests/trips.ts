import { geography } from '../../server/cities/geography.ts';
import { areaAt, offeredAt, primeTimePercent, prohibitedDropOffAt } from '../../server/domain/areas.ts';
import { simulatedFleet } from '../../server/domain/fleet/simulated-fleet.ts';
import { metersBetween, type Point } from '../../server/domain/geo.ts';
import type { ServiceArea } from '../../server/domain/service-area.ts';
import { MINUTE_MS } from '../../server/domain/time.ts';
import { LIVE_WORLD } from '../../server/domain/worlds/live.ts';

export const RIDE_TYPE = 'svc';
/** The server rejects a trip that ends where it starts. */
const SHORTEST_TRIP_METERS = 1000;
/** Prime Time must not begin within this time, because rides are requested until then. */
const MEASURED_WITHIN_MS = 15 * MINUTE_MS;
const NOON = Date.parse('2026-01-07T20:00:00Z');
const ENOUGH_CARS = 20;
/** The cars of the live world. */
export const FLEET = simulatedFleet(LIVE_WORLD.seed);

/** Makes trips in areas without Prime Time, which needs a confirmation. They use all areas, so there are enough cars. */
export function tripsWithoutPrimeTime(now: number) {
  const instants = [now, now + MEASURED_WITHIN_MS];
  const areas = geography.areas.filter((area) => instants.every((at) => primeTimePercent(area, at) === 0));
  if (areas.length === 0) throw new Error('Every area has Prime Time at this hour, so ride requests would fail.');
  let count = 0;
  return () => {
    const area = areas[count++ % areas.length]!;
    // enough cars are nearby at noon that there is one at any hour
    const around = { area, at: NOON, rideTypes: [RIDE_TYPE], limit: ENOUGH_CARS, busy: new Set<string>() };
    const origin = placeIn(area, (point) => FLEET.carsNear({ ...around, point }).length === ENOUGH_CARS);
    const destination = placeIn(area, (point) => metersBetween(origin, point) >= SHORTEST_TRIP_METERS);
    return { origin, destination };
  };
}

/** Finds a place where the ride type is available and a ride may end. */
function placeIn(area: ServiceArea, isFit: (point: Point) => boolean): Point {
  const [lngs, lats] = [area.boundary.map(([lng]) => lng), area.boundary.map(([, lat]) => lat)];
  for (;;) {
    const point = { lat: between(lats), lng: between(lngs) };
    const isOffered =
      areaAt(geography, point) === area && offeredAt(area, point).some(({ rideType }) => rideType === RIDE_TYPE);
    if (isOffered && prohibitedDropOffAt(geography, point) === undefined && isFit(point)) return point;
  }
}

function between(values: readonly number[]): number {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least + Math.random() * (most - least);
}
