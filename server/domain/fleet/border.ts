import { isInside, type Ring } from '../geo.ts';
import { METERS_PER_DEGREE } from '../routes/plane.ts';
import type { ServiceArea } from '../service-area.ts';
import type { Cell, Grid } from './cells.ts';
import { ROOM_METERS } from './loop.ts';

/** A margin, because the width of a degree changes within a cell. */
const REACH_METERS = 1.1 * ROOM_METERS;

/** The edges of an area's boundary that can matter to a cell's cars. */
export interface Border {
  readonly edges: readonly Ring[];
  /** Whether the whole cell is outside the area. */
  readonly isOutside: boolean;
}

const INSIDE: Border = { edges: [], isOutside: false };
const OUTSIDE: Border = { edges: [], isOutside: true };

export function borderNear({ boundary }: ServiceArea, grid: Grid, cell: Cell): Border {
  const [southWest, northEast] = [grid.pointIn(cell, 0, 0), grid.pointIn(cell, 1, 1)];
  const reachLat = REACH_METERS / METERS_PER_DEGREE;
  const reachLng = reachLat / Math.cos((northEast.lat * Math.PI) / 180);
  const edges = boundary.slice(1).flatMap((to, i): Ring[] => {
    const from = boundary[i]!;
    const isNear =
      Math.max(from[0], to[0]) > southWest.lng - reachLng &&
      Math.min(from[0], to[0]) < northEast.lng + reachLng &&
      Math.max(from[1], to[1]) > southWest.lat - reachLat &&
      Math.min(from[1], to[1]) < northEast.lat + reachLat;
    return isNear ? [[from, to]] : [];
  });
  if (edges.length > 0) return { edges, isOutside: false };
  return isInside(southWest, boundary) ? INSIDE : OUTSIDE;
}
