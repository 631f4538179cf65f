import type { Point } from '../geo.ts';
import { METERS_PER_DEGREE } from '../routes/plane.ts';
import type { ServiceArea } from '../service-area.ts';
import { SECOND_MS } from '../time.ts';
import { type Cell, cellOf, farthestRing, type Grid, gridOf, numberOf, visitRing } from './cells.ts';
import { MAX_KM_PER_HOUR, MAX_STRAY_METERS, positionOnLoop } from './loop.ts';
import type { Resident } from './resident.ts';

/** The cells in which cars live are about one kilometer wide. */
const CELL_DEGREES_LAT = 0.009;
/** The map shows each car at its position in the middle of a tick. */
const TICK_MS = 10 * SECOND_MS;
/** How far a car drives in half a tick, plus a margin of one meter. */
const DRIFT_METERS = 1 + ((MAX_KM_PER_HOUR / 3.6) * (TICK_MS / 2)) / SECOND_MS;
/** Allows for the distortion of distances on the flat map. */
const FLAT_SHARE = 0.98;
const CARS_PER_SQUARE = 4;
/** Limits on the size of a square, in areas with very few and very many cars. */
const MOST_SQUARE_METERS = 1000;
const LEAST_SQUARE_METERS = 50;
const NOWHERE = -1;
/**
 * Cars of a whole area that are made at once, and a cell's more. A hundred take a few milliseconds.
 * @beyond the next turn of the event loop makes more, and other work runs in between
 * @heldBy tests/rides/free-cars.test.ts
 */
const MOST_MADE_AT_ONCE = 100;

export interface OutwardSearch {
  /** @param leastMeters a lower bound on the car's distance */
  visit(resident: Resident, leastMeters: number): void;
  /** The current search radius in meters. Called before each step outwards, because the radius can shrink. */
  reach(): number;
}

export type CarMap = ReturnType<typeof carMapOf>;

/**
 * The positions of an area's cars during a tick, in squares that contain few cars each. A search costs the same in an
 * area with many cars as in one with few.
 * @param residentsIn returns the cars that live in a cell; called once per cell
 */
export function carMapOf(area: ServiceArea, residentsIn: (cell: Cell, cells: Grid) => readonly Resident[]) {
  const cells = gridOf(area, CELL_DEGREES_LAT);
  const squares = gridOf(area, squareMetersFor(area) / METERS_PER_DEGREE);
  // the cars known so far; the cars of one cell are adjacent
  const cars: Resident[] = [];
  const lats: number[] = [];
  const lngs: number[] = [];
  /** The number of the next car in the same square. */
  const next: number[] = [];
  const firstCarIn = new Int32Array(squares.rows * squares.columns);
  const begins = new Int32Array(cells.rows * cells.columns).fill(NOWHERE);
  const ends = new Int32Array(begins.length);
  const tickOf = new Float64Array(begins.length);
  let tick = Number.NaN;

  function turnTo(at: number): void {
    const now = Math.floor(at / TICK_MS);
    if (now === tick) return;
    tick = now;
    tickOf.fill(Number.NaN);
    firstCarIn.fill(NOWHERE);
  }

  function make(cell: number): void {
    begins[cell] = cars.length;
    cars.push(...residentsIn(cellOf(cells, cell), cells));
    ends[cell] = cars.length;
  }

  function place(cell: number): void {
    if (tickOf[cell] === tick) return;
    tickOf[cell] = tick;
    if (begins[cell] === NOWHERE) make(cell);
    for (let car = begins[cell]!; car < ends[cell]!; car++) placeCar(car);
  }

  function placeCar(car: number): void {
    const position = positionOnLoop(cars[car]!.loop, (tick + 0.5) * TICK_MS);
    const square = numberOf(squares, squares.cellAt(position));
    lats[car] = position.lat;
    lngs[car] = position.lng;
    next[car] = firstCarIn[square]!;
    firstCarIn[square] = car;
  }

  return {
    /** Makes the cars of some more cells. @returns whether there are more cells */
    makeSome(): boolean {
      const before = cars.length;
      let cell = begins.indexOf(NOWHERE);
      for (; cell !== -1 && cars.length - before < MOST_MADE_AT_ONCE; cell = begins.indexOf(NOWHERE, cell)) make(cell);
      return cell !== -1;
    },

    /** Visits all cars within reach of a point at a given time, and possibly more, roughly nearest first. */
    lookAround(point: Point, at: number, { visit, reach }: OutwardSearch): void {
      turnTo(at);
      const home = cells.cellAt(point);
      const center = squares.cellAt(point);
      const last = farthestRing(squares, center);
      const metersPerLng = METERS_PER_DEGREE * Math.cos((point.lat * Math.PI) / 180);
      let placed = -1;
      let most = 0;
      const visitSquare = (square: number) => {
        for (let car = firstCarIn[square]!; car !== NOWHERE; car = next[car]!) {
          const north = (lats[car]! - point.lat) * METERS_PER_DEGREE;
          const east = (lngs[car]! - point.lng) * metersPerLng;
          const squared = north * north + east * east;
          if (squared <= most) visit(cars[car]!, Math.sqrt(squared) * FLAT_SHARE - DRIFT_METERS);
        }
      };
      for (let ring = 0; ring <= last; ring++) {
        const meters = reach();
        // all cars of this ring and of the rings beyond it are farther away
        if ((ring - 1) * squares.leastMeters - DRIFT_METERS > meters) break;
        const cellsAway = ((ring + 1) * squares.mostMeters + MAX_STRAY_METERS) / cells.leastMeters;
        while (placed < cellsAway) visitRing(cells, home, ++placed, place);
        most = ((meters + DRIFT_METERS) / FLAT_SHARE) ** 2;
        visitRing(squares, center, ring, visitSquare);
      }
    },
  };
}

function squareMetersFor({ fleet }: ServiceArea): number {
  const meters = 1000 * Math.sqrt(CARS_PER_SQUARE / fleet.carsPerSquareKm);
  return Math.min(MOST_SQUARE_METERS, Math.max(LEAST_SQUARE_METERS, meters));
}
