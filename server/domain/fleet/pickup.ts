import type { Point } from '../geo.ts';
import { drivingSeconds, route, type Streets } from '../routes/route.ts';

/** Whole seconds of driving from a car to a point, uncompressed, at least 1, on the route that the car would take. */
export function pickupSeconds(car: Point, point: Point, streets: Streets): number {
  return Math.max(1, Math.ceil(drivingSeconds(route(car, point, streets))));
}
