import { draws } from '../chance.ts';
import { isInside } from '../geo.ts';
import { metersToEdge } from '../routes/plane.ts';
import type { ServiceArea } from '../service-area.ts';
import { type Border, borderNear } from './border.ts';
import { type Cell, type Grid, numberOf } from './cells.ts';
import type { CarKey, DriverIds } from './driver-id.ts';
import { type Loop, loopAround } from './loop.ts';
import { servedTogether } from './vehicle.ts';

const MIN_SHIFT_PERIOD_HOURS = 8;
const SHIFT_PERIOD_SPREAD_HOURS = 8;

export class Resident {
  constructor(
    private readonly ids: DriverIds,
    private readonly car: CarKey,
    readonly rideTypes: readonly string[],
    readonly loop: Loop,
    /** Phase of the driver's shifts, 0 to 1. */
    readonly phase: number,
    readonly periodHours: number,
  ) {}

  /** Not kept: a search compares many cars, and returns few. */
  get driverId(): string {
    return this.ids.idOf(this.car);
  }
}

/** The cars that live in a cell. Omits homes outside the area's boundary. */
export function residentsOf(seed: string, area: ServiceArea, grid: Grid, cell: Cell, ids: DriverIds): Resident[] {
  const { edges, isOutside } = knownBorder(area, grid, cell);
  if (isOutside) return [];
  const [oneMore] = draws(1, seed, 'homes', area.id, cell.row, cell.column);
  // a cell has about one square kilometer; the fractional part is the probability of one more car
  const homes = Math.floor(area.fleet.carsPerSquareKm + oneMore);
  const residents: Resident[] = [];
  for (let index = 0; index < homes; index++) {
    const key = ['car', area.id, cell.row, cell.column, index];
    const [north, east, shape, size, pace, start, phase, period] = draws(8, seed, ...key);
    const home = grid.pointIn(cell, north, east);
    const car = { ...cell, index };
    if (edges.length > 0 && !isInside(home, area.boundary)) continue;
    const rideTypes = rideTypesOf(seed, area, car);
    if (rideTypes.length === 0) continue;
    const room = Math.min(...edges.map((edge) => metersToEdge(home, edge)));
    const loop = loopAround(home, area.streetBearing, room, [shape, size, pace, start]);
    const periodHours = MIN_SHIFT_PERIOD_HOURS + SHIFT_PERIOD_SPREAD_HOURS * period;
    residents.push(new Resident(ids, car, rideTypes, loop, phase, periodHours));
  }
  return residents;
}

/** By area and cell: the same for every seed. */
const borders = new WeakMap<ServiceArea, Map<number, Border>>();

function knownBorder(area: ServiceArea, grid: Grid, cell: Cell): Border {
  const ofArea = borders.get(area) ?? new Map<number, Border>();
  borders.set(area, ofArea);
  const number = numberOf(grid, cell);
  const border = ofArea.get(number) ?? borderNear(area, grid, cell);
  ofArea.set(number, border);
  return border;
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
