import type { Point } from '../domain/geo.ts';
import { planeAt } from '../domain/routes/plane.ts';

const WIDTH = 640;
const HEIGHT = 400;
const MARGIN = 48;
/** Limits the zoom for very short rides. */
const LEAST_METERS = 600;

/** Projects coordinates onto a drawing. */
export interface MapView {
  readonly width: number;
  readonly height: number;
  at(point: Point): { readonly x: number; readonly y: number };
  /** An SVG path through the points. */
  line(points: readonly Point[]): string;
}

/** The smallest north-up map that shows all points (at least one). */
export function mapViewOf(points: readonly Point[]): MapView {
  const plane = planeAt(points[0]!, 0);
  const flat = points.map((point) => plane.toPlane(point));
  const [south, north] = rangeOf(flat.map(({ along }) => along));
  const [west, east] = rangeOf(flat.map(({ across }) => across));
  const scale = Math.min(
    (WIDTH - 2 * MARGIN) / Math.max(LEAST_METERS, east - west),
    (HEIGHT - 2 * MARGIN) / Math.max(LEAST_METERS, north - south),
  );
  const at = (point: Point) => {
    const { along, across } = plane.toPlane(point);
    return {
      x: round(WIDTH / 2 + (across - (west + east) / 2) * scale),
      y: round(HEIGHT / 2 - (along - (south + north) / 2) * scale),
    };
  };
  const line = (path: readonly Point[]) => {
    const steps = path.map((point) => at(point)).map(({ x, y }) => `${x} ${y}`);
    return `M${steps.join('L')}`;
  };
  return { width: WIDTH, height: HEIGHT, at, line };
}

function rangeOf(values: readonly number[]): readonly [least: number, most: number] {
  return [Math.min(...values), Math.max(...values)];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
