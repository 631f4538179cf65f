import { describe, expect, test } from 'vitest';
import { geography } from '../../server/cities/geography.ts';
import { draws } from '../../server/domain/chance.ts';
import { borderNear } from '../../server/domain/fleet/border.ts';
import { cellOf, gridOf } from '../../server/domain/fleet/cells.ts';
import { ROOM_METERS } from '../../server/domain/fleet/loop.ts';
import { isInside } from '../../server/domain/geo.ts';
import { metersToEdge } from '../../server/domain/routes/plane.ts';

const CELL_DEGREES = 0.009;
const POINTS = 8;

describe.each(geography.areas)('in every cell of $id', (area) => {
  const grid = gridOf(area, CELL_DEGREES);
  const cells = Array.from({ length: grid.rows * grid.columns }, (_, number) => {
    const cell = cellOf(grid, number);
    const chances = draws(2 * POINTS, 'border', area.id, number);
    const points = Array.from({ length: POINTS }, (_, i) => grid.pointIn(cell, chances[2 * i]!, chances[2 * i + 1]!));
    return { border: borderNear(area, grid, cell), points };
  });

  test('the near edges give the same room to each car as the whole boundary', () => {
    const room = (meters: number) => Math.min(ROOM_METERS, meters);
    for (const { border, points } of cells.filter(({ border }) => !border.isOutside)) {
      const near = points.map((point) => room(Math.min(...border.edges.map((edge) => metersToEdge(point, edge)))));
      expect(near).toEqual(points.map((point) => room(metersToEdge(point, area.boundary))));
    }
  });

  test('no point is inside if the cell is outside, and every point is if no edge is near', () => {
    const far = cells.filter(({ border }) => border.edges.length === 0);
    for (const { border, points } of far) {
      for (const point of points) expect(isInside(point, area.boundary)).toBe(!border.isOutside);
    }
  });
});
