import type { Point } from '../geo.ts';

/** A point of a path and the driving time to it from the path's start, in seconds, uncompressed. */
export interface Waypoint extends Point {
  readonly seconds: number;
}

/** A drive along a path: a position at every instant follows from it. */
export interface Leg {
  readonly path: readonly Waypoint[];
  /** Instants of the world's clock at which the leg starts and ends. (endsAt - startsAt) is the driving time divided by the simulation's speed. */
  readonly startsAt: number;
  readonly endsAt: number;
}

/** How an accepted ride will go, if nothing is changed: to the pickup, a wait, to the drop-off. */
export interface DrivePlan {
  readonly toPickup: Leg;
  /** The driver waits at the pickup between toPickup.endsAt and trip.startsAt. */
  readonly trip: Leg;
  /** When this driver gives the ride up, before arriving; null: never. */
  readonly driverCancelsAt: number | null;
  /** What the plan's travel times were divided by. */
  readonly speed: number;
}
