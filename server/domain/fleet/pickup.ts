import type { Point } from '../geo.ts';
import { drivingSeconds, route, type Streets } from '../routes/route.ts';

/** Whole seconds that a car needs to a point, uncompressed and at least 1: the same way that it would drive if it were sent. */
export function pickupSeconds(car: Point, point: Point, streets: Streets): number {
  return Math.max(1, Math.ceil(drivingSeconds(route(car, point, streets))));
}
