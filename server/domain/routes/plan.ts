import type { Point } from '../geo.ts';

/** A point on a path, with the driving time from the start of the path in seconds, at normal speed. */
export interface Waypoint extends Point {
  readonly seconds: number;
}

/** A timed drive along a path. It determines the car's position at any time. */
export interface Leg {
  readonly path: readonly Waypoint[];
  /** Start and end on the world's clock. (endsAt - startsAt) is the driving time divided by the simulation speed. */
  readonly startsAt: number;
  readonly endsAt: number;
}

/** The plan of an accepted ride: a drive to the pickup, a wait, and a trip to the drop-off. */
export interface DrivePlan {
  readonly toPickup: Leg;
  /** The driver waits at the pickup between toPickup.endsAt and trip.startsAt. */
  readonly trip: Leg;
  /** When the driver cancels on the way to the pickup; null: never. */
  readonly driverCancelsAt: number | null;
  /** The plan's travel times are already divided by this speed. */
  readonly speed: number;
}
