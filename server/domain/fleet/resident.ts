import { draws } from '../chance.ts';
import { isInside } from '../geo.ts';
import { metersToEdge } from '../routes/plane.ts';
import type { ServiceArea } from '../service-area.ts';
import type { Cell, Grid } from './cells.ts';
import type { CarKey, DriverIds } from './driver-id.ts';
import { type Loop, loopAround } from './loop.ts';
import { servedTogether } from './vehicle.ts';

const MIN_SHIFT_PERIOD_HOURS = 8;
const SHIFT_PERIOD_SPREAD_HOURS = 8;

export interface Resident {
  readonly driverId: string;
  readonly rideTypes: readonly string[];
  readonly loop: Loop;
  /** Phase of the driver's shifts, 0 to 1. */
  readonly phase: number;
  readonly periodHours: number;
}

/** The cars that live in a cell. Omits homes outside the area's boundary. */
export function residentsOf(seed: string, area: ServiceArea, grid: Grid, cell: Cell, ids: DriverIds): Resident[] {
  const [oneMore] = draws(1, seed, 'homes', area.id, cell.row, cell.column);
  // a cell has about one square kilometer; the fractional part is the probability of one more car
  const homes = Math.floor(area.fleet.carsPerSquareKm + oneMore);
  const residents: Resident[] = [];
  for (let index = 0; index < homes; index++) {
    const key = ['car', area.id, cell.row, cell.column, index];
    const [north, east, shape, size, pace, start, phase, period] = draws(8, seed, ...key);
    const home = grid.pointIn(cell, north, east);
    const car = { ...cell, index };
    if (!isInside(home, area.boundary)) continue;
    const rideTypes = rideTypesOf(seed, area, car);
    if (rideTypes.length === 0) continue;
    const room = metersToEdge(home, area.boundary);
    residents.push({
      driverId: ids.idOf(car),
      rideTypes,
      loop: loopAround(home, area.streetBearing, room, [shape, size, pace, start]),
      phase,
      periodHours: MIN_SHIFT_PERIOD_HOURS + SHIFT_PERIOD_SPREAD_HOURS * period,
    });
  }
  return residents;
}

/**
 * The ride types that a car serves, in the area's order. Each type is drawn independently; the most expensive one then
 * excludes others.
 */
export function rideTypesOf(seed: string, area: ServiceArea, car: CarKey): string[] {
  const chances = draws(area.rideTypes.length, seed, 'serves', area.id, car.row, car.column, car.index);
  const drawn = area.rideTypes.filter(({ shareOfCars }, i) => chances[i]! < shareOfCars);
  return servedTogether(drawn.map(({ rideType }) => rideType));
}
