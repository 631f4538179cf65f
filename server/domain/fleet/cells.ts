import type { Point } from '../geo.ts';
import type { ServiceArea } from '../service-area.ts';

const CELL_DEGREES_LAT = 0.009;

/** The smallest width of a cell in meters, in any city. */
export const CELL_METERS = 980;

/** A square of an area's grid, about one kilometer wide. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

/** The grid of cells over an area. */
export interface Grid {
  cellAt(point: Point): Cell;
  /** Whether the cell touches the box around the area's boundary. */
  touchesArea(cell: Cell): boolean;
  /** A point of the cell; both shares are 0 to 1. */
  pointIn(cell: Cell, shareNorth: number, shareEast: number): Point;
}

export function gridOf(area: ServiceArea): Grid {
  const lngs = area.boundary.map(([lng]) => lng);
  const lats = area.boundary.map(([, lat]) => lat);
  const south = Math.min(...lats);
  const north = Math.max(...lats);
  const degreesLng = CELL_DEGREES_LAT / Math.cos((((south + north) / 2) * Math.PI) / 180);
  const cellAt = (point: Point): Cell => ({
    row: Math.floor(point.lat / CELL_DEGREES_LAT),
    column: Math.floor(point.lng / degreesLng),
  });
  const first = cellAt({ lat: south, lng: Math.min(...lngs) });
  const last = cellAt({ lat: north, lng: Math.max(...lngs) });
  return {
    cellAt,
    touchesArea: ({ row, column }) =>
      row >= first.row && row <= last.row && column >= first.column && column <= last.column,
    pointIn: ({ row, column }, shareNorth, shareEast) => ({
      lat: (row + shareNorth) * CELL_DEGREES_LAT,
      lng: (column + shareEast) * degreesLng,
    }),
  };
}

/** The cells at a distance of `rings` steps from a cell. A diagonal step counts as one. */
export function ringAround(center: Cell, rings: number): Cell[] {
  if (rings === 0) return [center];
  const cells: Cell[] = [];
  for (let i = -rings; i < rings; i++) {
    cells.push(
      { row: center.row - rings, column: center.column + i },
      { row: center.row + i, column: center.column + rings },
      { row: center.row + rings, column: center.column - i },
      { row: center.row - i, column: center.column - rings },
    );
  }
  return cells;
}
