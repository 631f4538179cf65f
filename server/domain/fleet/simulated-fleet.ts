import { metersBetween, type Point } from '../geo.ts';
import type { Position } from '../routes/leg.ts';
import type { ServiceArea } from '../service-area.ts';
import { SECOND_MS } from '../time.ts';
import { CELL_METERS, type Cell, type Grid, gridOf, ringAround } from './cells.ts';
import { driverAt } from './driver.ts';
import { carOfDriver } from './driver-id.ts';
import type { Car, CarQuery, Fleet } from './fleet.ts';
import { MAX_STRAY_METERS, positionOnLoop } from './loop.ts';
import { type Resident, residentsOf, rideTypesOf } from './resident.ts';
import { shareAtWork, shiftRank } from './rhythm.ts';

const DEFAULT_RADIUS_METERS = 5000;
const DEFAULT_LIMIT = 20;
const TRAIL_LENGTH = 5;
const TRAIL_INTERVAL_MS = 5 * SECOND_MS;

interface Found {
  readonly resident: Resident;
  readonly position: Position;
  readonly meters: number;
}

/**
 * A fleet that is a function of time. It computes each car from the seed, the cell and the instant, so every process
 * returns the same cars. Its only state is a cache.
 */
export function simulatedFleet(seed: string): Fleet {
  const residentsIn = rememberedResidents(seed);

  function found(query: CarQuery, cell: Cell, atWork: number): Found[] {
    const radius = query.radiusMeters ?? DEFAULT_RADIUS_METERS;
    return residentsIn(query.area, cell)
      .filter((resident) => isFree(resident, query, atWork))
      .map((resident) => placed(resident, query))
      .filter(({ meters }) => meters <= radius);
  }

  return {
    carsNear(query) {
      const radius = query.radiusMeters ?? DEFAULT_RADIUS_METERS;
      const limit = query.limit ?? DEFAULT_LIMIT;
      const atWork = shareAtWork(query.area.timeZone, query.at);
      const center = gridOf(query.area).cellAt(query.point);
      const lastRing = Math.ceil((radius + MAX_STRAY_METERS) / CELL_METERS);
      const near: Found[] = [];
      for (let ring = 0; ring <= lastRing; ring++) {
        near.push(...ringAround(center, ring).flatMap((cell) => found(query, cell, atWork)));
        // cars in the rings not searched yet are farther away than this
        const certain = ring * CELL_METERS - MAX_STRAY_METERS;
        if (near.filter(({ meters }) => meters <= certain).length >= limit) break;
      }
      near.sort((a, b) => a.meters - b.meters);
      return near.slice(0, limit).map((car) => seen(car, query.at));
    },

    driverOf(area, driverId) {
      const car = carOfDriver(seed, area.id, driverId);
      if (car === null) throw new Error(`No driver ${driverId} in ${area.id}`);
      return driverAt(seed, area, driverId, rideTypesOf(seed, area, car));
    },
  };
}

function isFree(resident: Resident, query: CarQuery, atWork: number): boolean {
  if (query.rideType !== undefined && !resident.rideTypes.includes(query.rideType)) return false;
  if (query.busy.has(resident.driverId)) return false;
  if (query.offDuty) return true;
  return shiftRank(resident.shift.phase, resident.shift.periodHours, query.at) < atWork;
}

function placed(resident: Resident, query: { readonly point: Point; readonly at: number }): Found {
  const position = positionOnLoop(resident.loop, query.at);
  return { resident, position, meters: metersBetween(query.point, position) };
}

function seen({ resident, position }: Found, at: number): Car {
  const { driverId, rideTypes, loop } = resident;
  return {
    driverId,
    position: { lat: position.lat, lng: position.lng },
    bearing: position.bearing,
    rideTypes,
    // a getter, because most callers only need the driver
    get trail() {
      const ages = Array.from({ length: TRAIL_LENGTH }, (_, i) => (TRAIL_LENGTH - 1 - i) * TRAIL_INTERVAL_MS);
      return ages.map((age) => positionOnLoop(loop, at - age));
    },
  };
}

/** Caches the residents of each cell for as long as the area object lives. */
function rememberedResidents(seed: string): (area: ServiceArea, cell: Cell) => readonly Resident[] {
  const known = new WeakMap<ServiceArea, { readonly grid: Grid; readonly cells: Map<string, readonly Resident[]> }>();
  return (area, cell) => {
    const town = known.get(area) ?? { grid: gridOf(area), cells: new Map() };
    known.set(area, town);
    // cells outside the area are empty; do not cache them, because their number has no bound
    if (!town.grid.touchesArea(cell)) return [];
    const name = `${cell.row},${cell.column}`;
    const residents = town.cells.get(name) ?? residentsOf(seed, area, town.grid, cell);
    town.cells.set(name, residents);
    return residents;
  };
}
