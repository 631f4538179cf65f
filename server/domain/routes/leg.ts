import type { Point } from '../geo.ts';
import type { Leg, Waypoint } from './plan.ts';
import { bearingBetween } from './plane.ts';
import { drivingSeconds } from './route.ts';

/** A position, and the heading of the car there in degrees from north, 0 to 360. */
export interface Position extends Point {
  readonly bearing: number;
}

/**
 * A path as a drive that starts at an instant.
 * @param speed what the driving time is divided by
 */
export function legOf(path: readonly Waypoint[], startsAt: number, speed: number): Leg {
  // a millisecond at least, so that a drive to where one stands has an end after its start
  return { path, startsAt, endsAt: startsAt + Math.max(1, Math.round((drivingSeconds(path) * 1000) / speed)) };
}

/** Where a leg's car is at an instant; at its start before it, at its end after it. */
export function positionOn(leg: Leg, at: number): Position {
  const seconds = secondsDriven(leg, at);
  const { path } = leg;
  const next = Math.max(
    1,
    path.findIndex((waypoint) => waypoint.seconds > seconds),
  );
  const onLastStretch = seconds >= drivingSeconds(path);
  const end = path[onLastStretch ? path.length - 1 : next]!;
  const start = path[onLastStretch ? path.length - 2 : next - 1] ?? end;
  const share = onLastStretch ? 1 : (seconds - start.seconds) / (end.seconds - start.seconds);
  return {
    lat: start.lat + (end.lat - start.lat) * share,
    lng: start.lng + (end.lng - start.lng) * share,
    bearing: bearingBetween(start, end),
  };
}

/** Whole seconds of driving that are left of a leg, uncompressed; 0 at its end. */
export function etaSeconds(leg: Leg, at: number): number {
  return Math.ceil(drivingSeconds(leg.path) - secondsDriven(leg, at));
}

/** The part of a leg's path that is behind its car at an instant; its last point is where the car is. */
export function drivenSoFar(leg: Leg, at: number): Waypoint[] {
  const seconds = secondsDriven(leg, at);
  const { lat, lng } = positionOn(leg, at);
  return [...leg.path.filter((waypoint) => waypoint.seconds < seconds), { lat, lng, seconds }];
}

/** Driving time done of a leg at an instant, in seconds, uncompressed. */
function secondsDriven(leg: Leg, at: number): number {
  const share = (at - leg.startsAt) / (leg.endsAt - leg.startsAt);
  return drivingSeconds(leg.path) * Math.min(1, Math.max(0, share));
}
