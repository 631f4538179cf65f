import type { Point } from '../geo.ts';

/** A point of a path and the driving time to it from the path's start, in seconds, uncompressed. */
export interface Waypoint extends Point {
  readonly seconds: number;
}

/** A timed drive along a path. It gives the car's position at every instant. */
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
  /** The plan's travel times are already divided by it. */
  readonly speed: number;
}
