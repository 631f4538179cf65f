import { boxAround, type Point } from '../geo.ts';
import { METERS_PER_DEGREE } from '../routes/plane.ts';
import type { ServiceArea } from '../service-area.ts';

/** A margin: the earth is round, and the width of a degree changes beyond the area's edges. */
const RESERVE = 0.02;

export interface Cell {
  readonly row: number;
  readonly column: number;
}

export type Grid = Readonly<ReturnType<typeof gridOf>>;

/** A grid of squares of roughly this width, over the bounding box of an area. */
export function gridOf({ boundary }: ServiceArea, degreesLat: number) {
  const { south, west, north, east } = boxAround(boundary);
  const degreesLng = degreesLat / cosOf((south + north) / 2);
  /** Also accepts points outside the box. */
  const cellAt = ({ lat, lng }: Point): Cell => ({
    row: Math.floor(lat / degreesLat),
    column: Math.floor(lng / degreesLng),
  });
  const first = cellAt({ lat: south, lng: west });
  const last = cellAt({ lat: north, lng: east });
  const widths = [degreesLat, degreesLng * cosOf(south), degreesLng * cosOf(north)];
  const meters = widths.map((degrees) => degrees * METERS_PER_DEGREE);
  return {
    /** The south-west corner of the box. */
    first,
    rows: last.row - first.row + 1,
    columns: last.column - first.column + 1,
    /** Bounds on the width of a cell. */
    leastMeters: Math.min(...meters) * (1 - RESERVE),
    mostMeters: Math.max(...meters) * (1 + RESERVE),
    cellAt,
    /** A point in the cell; both fractions are 0 to 1. */
    pointIn: ({ row, column }: Cell, shareNorth: number, shareEast: number): Point => ({
      lat: (row + shareNorth) * degreesLat,
      lng: (column + shareEast) * degreesLng,
    }),
  };
}

/** Only for cells inside the grid. */
export function numberOf({ first, columns }: Grid, { row, column }: Cell): number {
  return (row - first.row) * columns + column - first.column;
}

export function cellOf({ first, columns }: Grid, number: number): Cell {
  return { row: first.row + Math.floor(number / columns), column: first.column + (number % columns) };
}

/** Visits the cells exactly `rings` steps from a cell, by number. A diagonal step counts as one. */
export function visitRing(grid: Grid, center: Cell, rings: number, visit: (number: number) => void): void {
  const row = center.row - grid.first.row;
  const column = center.column - grid.first.column;
  const lastRow = Math.min(row + rings, grid.rows - 1);
  for (let at = Math.max(row - rings, 0); at <= lastRow; at++) {
    const isWhole = Math.abs(at - row) === rings;
    const from = column - rings;
    const step = isWhole ? 1 : 2 * rings;
    for (let across = from; across <= column + rings; across += step || 1) {
      if (across >= 0 && across < grid.columns) visit(at * grid.columns + across);
    }
  }
}

/** The number of steps from a cell to the farthest cell of the grid. */
export function farthestRing({ first, rows, columns }: Grid, { row, column }: Cell): number {
  const [north, east] = [row - first.row, column - first.column];
  return Math.max(north, rows - 1 - north, east, columns - 1 - east);
}

function cosOf(degrees: number): number {
  return Math.cos((degrees * Math.PI) / 180);
}
