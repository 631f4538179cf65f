import type { Point } from '../geo.ts';
import { drivingSeconds, route, type Streets } from '../routes/route.ts';

/**
 * Driving time from a car to a point in whole seconds, at least 1, at normal speed, on the route that the car would
 * take.
 */
export function pickupSeconds(car: Point, point: Point, streets: Streets): number {
  return Math.max(1, Math.ceil(drivingSeconds(route(car, point, streets))));
}
