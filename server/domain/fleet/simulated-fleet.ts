import { metersBetween, type Point } from '../geo.ts';
import type { Position } from '../routes/leg.ts';
import type { ServiceArea } from '../service-area.ts';
import { SECOND_MS } from '../time.ts';
import { type CarMap, carMapOf } from './car-map.ts';
import { driverAt } from './driver.ts';
import { driverIds } from './driver-id.ts';
import type { Car, CarQuery, Fleet } from './fleet.ts';
import { type Loop, positionOnLoop } from './loop.ts';
import { type Resident, residentsOf, rideTypesOf } from './resident.ts';
import { shareAtWork, shiftRank } from './rhythm.ts';

const DEFAULT_RADIUS_METERS = 5000;
const DEFAULT_LIMIT = 20;
/** The grids of a city take as much memory as this many cars. */
const GRIDS_AS_CARS = 20;
const TRAIL_AGES_MS = [20, 15, 10, 5, 0].map((seconds) => seconds * SECOND_MS);

interface Found {
  readonly resident: Resident;
  readonly position: Position;
  readonly meters: number;
}

/**
 * A fleet that is a function of time. It computes each car from the seed, the cell and the time, so every process
 * returns the same cars. Its only state is a cache.
 * @param grow called with the number of cars that the cache gets, and that its grids count as
 */
export function simulatedFleet(seed: string, grow: (by: number) => void = () => {}): Fleet {
  const maps = new WeakMap<ServiceArea, CarMap>();

  function mapOf(area: ServiceArea): CarMap {
    const known = maps.get(area);
    if (known !== undefined) return known;
    const ids = driverIds(seed, area.id);
    const map = carMapOf(area, (cell, grid) => {
      const residents = residentsOf(seed, area, grid, cell, ids);
      grow(residents.length);
      return residents;
    });
    maps.set(area, map);
    grow(GRIDS_AS_CARS);
    return map;
  }

  return {
    carsNear(query) {
      return nearest(mapOf(query.area), query).map((car) => new SeenCar(car, query.at));
    },

    makeSome: (area) => mapOf(area).makeSome(),

    driverOf(area, driverId) {
      const car = driverIds(seed, area.id).carOf(driverId);
      if (car === null) throw new Error(`No driver ${driverId} in ${area.id}`);
      return driverAt(seed, area, driverId, rideTypesOf(seed, area, car));
    },
  };
}

interface Nearest {
  readonly rideType: string | null;
  readonly cars: Found[];
  /** The search radius: the distance of the farthest car to keep. */
  reach: number;
}

function nearest(map: CarMap, query: CarQuery): Found[] {
  const { radiusMeters = DEFAULT_RADIUS_METERS, limit = DEFAULT_LIMIT } = query;
  const atWork = shareAtWork(query.area.timeZone, query.at);
  const wanted = (query.rideTypes ?? [null]).map((rideType): Nearest => ({ rideType, cars: [], reach: radiusMeters }));
  const keep = (one: Nearest, car: Found) => {
    insertSorted(one.cars, car);
    if (one.cars.length > limit) one.cars.pop();
    one.reach = one.cars[limit - 1]?.meters ?? radiusMeters;
  };
  map.lookAround(query.point, query.at, {
    visit(resident, leastMeters) {
      let car: Found | null = null;
      for (const one of wanted) {
        const { rideType, reach } = one;
        if (leastMeters > reach || (rideType !== null && !resident.rideTypes.includes(rideType))) continue;
        if (car === null) {
          if (!isFree(resident, query, atWork)) return;
          car = placed(resident, query);
        }
        if (car.meters <= reach) keep(one, car);
      }
    },
    reach: () => wanted.reduce((most, { reach }) => Math.max(most, reach), 0),
  });
  if (wanted.length === 1) return wanted[0]!.cars;
  return [...new Set(wanted.flatMap(({ cars }) => cars))].sort(nearestFirst);
}

function insertSorted(cars: Found[], car: Found): void {
  let [low, high] = [0, cars.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (nearestFirst(car, cars[middle]!) < 0) high = middle;
    else low = middle + 1;
  }
  cars.splice(low, 0, car);
}

/** Breaks ties by id, so that the order does not depend on earlier searches. */
function nearestFirst(a: Found, b: Found): number {
  return a.meters - b.meters || (a.resident.driverId < b.resident.driverId ? -1 : 1);
}

function isFree(resident: Resident, query: CarQuery, atWork: number): boolean {
  const { phase, periodHours } = resident;
  if (query.busy.size > 0 && query.busy.has(resident.driverId)) return false;
  return query.offDuty === true || shiftRank(phase, periodHours, query.at) < atWork;
}

function placed(resident: Resident, query: CarQuery): Found {
  const position = positionOnLoop(resident.loop, query.at);
  return { resident, position, meters: metersBetween(query.point, position) };
}

/** A class with a lazy trail: few searches read the trail, and a getter per object costs more than the car. */
class SeenCar implements Car {
  readonly driverId: string;
  readonly position: Point;
  readonly bearing: number;
  readonly rideTypes: readonly string[];
  readonly #loop: Loop;
  readonly #at: number;

  constructor({ resident, position: { lat, lng, bearing } }: Found, at: number) {
    this.driverId = resident.driverId;
    this.position = { lat, lng };
    this.bearing = bearing;
    this.rideTypes = resident.rideTypes;
    this.#loop = resident.loop;
    this.#at = at;
  }

  get trail(): Position[] {
    return TRAIL_AGES_MS.map((age) => positionOnLoop(this.#loop, this.#at - age));
  }
}
