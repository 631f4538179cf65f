import { draw, draws } from '../chance.ts';
import { isInside, METERS_PER_MILE, type Point } from '../geo.ts';
import type { ServiceArea } from '../service-area.ts';
import { SECOND_MS } from '../time.ts';
import { drivenSoFar, legOf } from './leg.ts';
import type { DrivePlan, Leg, Waypoint } from './plan.ts';
import { planeAt } from './plane.ts';
import { drivingSeconds, route, type Streets } from './route.ts';

const MIN_WAIT_SECONDS = 60;
const WAIT_SPREAD_SECONDS = 30;
const CANCELING_DRIVERS = 0.02;
/** In a straight line; along the streets, this is about three miles. */
const ROAM_METERS = 2.4 * METERS_PER_MILE;
const ROAM_DIRECTIONS = 12;

export interface Drive {
  readonly area: ServiceArea;
  readonly car: Point;
  readonly origin: Point;
  /** Null: the passenger rides about three miles. */
  readonly destination: Point | null;
  readonly acceptedAt: number;
  readonly speed: number;
  /** The world's seed and the ride's id determine the plan's random draws. */
  readonly seed: string;
  readonly rideId: string;
  /** Whether some drivers cancel on their way to the pickup. */
  readonly driversMayCancel: boolean;
}

export function planDrive(drive: Drive): DrivePlan {
  const { area, origin, speed, seed, rideId } = drive;
  const [waiting, givesUp, when] = draws(3, seed, 'drive', rideId);
  const toPickup = legOf(route(drive.car, origin, area), drive.acceptedAt, speed);
  const waitMs = Math.round(((MIN_WAIT_SECONDS + WAIT_SPREAD_SECONDS * waiting) * SECOND_MS) / speed);
  const destination = drive.destination ?? roamingDestination(area, origin, seed, rideId);
  const trip = legOf(route(origin, destination, area), toPickup.endsAt + waitMs, speed);
  const driverCancels = drive.driversMayCancel && givesUp < CANCELING_DRIVERS;
  return { toPickup, trip, driverCancelsAt: driverCancels ? instantWithin(toPickup, when) : null, speed };
}

/**
 * The plan with a new destination from a given time. With the passenger on board, the car continues from its position.
 * Before that, only the trip changes.
 */
export function replan(
  plan: DrivePlan,
  destination: Point,
  at: number,
  pickedUp: boolean,
  streets: Streets,
): DrivePlan {
  if (!pickedUp) {
    const path = route(plan.trip.path[0]!, destination, streets);
    return { ...plan, trip: legOf(path, plan.trip.startsAt, plan.speed) };
  }
  const driven = drivenSoFar(plan.trip, at);
  const path = joined(driven, route(driven.at(-1)!, destination, streets));
  const stoodMs = Math.max(0, at - plan.trip.endsAt);
  return { ...plan, trip: legOf(path, plan.trip.startsAt + stoodMs, plan.speed) };
}

/**
 * The plan of a car that reaches the pickup early or late. The planned wait stays the same.
 * @param at after the start of the drive to the pickup
 */
export function arrivedAt(plan: DrivePlan, at: number): DrivePlan {
  const waitMs = plan.trip.startsAt - plan.toPickup.endsAt;
  const toPickup = { ...plan.toPickup, endsAt: at };
  return { ...plan, toPickup, trip: movedTo(plan.trip, at + waitMs) };
}

/** The plan of a car whose passenger gets in early or late. */
export function startedAt(plan: DrivePlan, at: number): DrivePlan {
  return { ...plan, trip: movedTo(plan.trip, at) };
}

function movedTo(leg: Leg, startsAt: number): Leg {
  return { ...leg, startsAt, endsAt: startsAt + (leg.endsAt - leg.startsAt) };
}

function joined(driven: readonly Waypoint[], onward: readonly Waypoint[]): Waypoint[] {
  const before = drivingSeconds(driven);
  return [...driven, ...onward.slice(1).map((waypoint) => ({ ...waypoint, seconds: before + waypoint.seconds }))];
}

/** A time well after the start of a drive and well before its end. */
function instantWithin(leg: Leg, share: number): number {
  return leg.startsAt + Math.floor((leg.endsAt - leg.startsAt) * (0.2 + 0.6 * share));
}

/** A point about three miles of streets away, inside the area; nearer if the area is too narrow. */
function roamingDestination(area: ServiceArea, origin: Point, seed: string, rideId: string): Point {
  const firstHeading = draw(seed, 'roam', rideId) * 360;
  for (const meters of [ROAM_METERS, ROAM_METERS / 2, ROAM_METERS / 4]) {
    for (let i = 0; i < ROAM_DIRECTIONS; i++) {
      const heading = firstHeading + (i * 360) / ROAM_DIRECTIONS;
      const point = planeAt(origin, heading).toPoint({ along: meters, across: 0 });
      if (mayEndAt(area, point)) return point;
    }
  }
  return origin;
}

function mayEndAt(area: ServiceArea, point: Point): boolean {
  return isInside(point, area.boundary) && !area.prohibitedDropOffs.some(({ boundary }) => isInside(point, boundary));
}
