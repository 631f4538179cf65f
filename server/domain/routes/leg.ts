import type { Point } from '../geo.ts';
import type { Leg, Waypoint } from './plan.ts';
import { bearingBetween } from './plane.ts';
import { drivingSeconds } from './route.ts';

/** A position and the car's heading there, in degrees from north, 0 to 360. */
export interface Position extends Point {
  readonly bearing: number;
}

/**
 * A drive along a path that starts at a given time.
 * @param speed divides the driving time
 */
export function legOf(path: readonly Waypoint[], startsAt: number, speed: number): Leg {
  // at least a millisecond, so that even a drive of zero length ends after its start
  return { path, startsAt, endsAt: startsAt + Math.max(1, Math.round((drivingSeconds(path) * 1000) / speed)) };
}

/** The car's position at a given time: the start before the leg, the end after it. */
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

/** Remaining driving time of a leg in whole seconds, at normal speed; 0 at its end. */
export function etaSeconds(leg: Leg, at: number): number {
  return Math.ceil(drivingSeconds(leg.path) - secondsDriven(leg, at));
}

/** The part of a path that the car has driven by a given time. The last point is the car's position. */
export function drivenSoFar(leg: Leg, at: number): Waypoint[] {
  const seconds = secondsDriven(leg, at);
  const { lat, lng } = positionOn(leg, at);
  return [...leg.path.filter((waypoint) => waypoint.seconds < seconds), { lat, lng, seconds }];
}

/** Driving time completed by a given time, in seconds at normal speed. */
function secondsDriven(leg: Leg, at: number): number {
  const share = (at - leg.startsAt) / (leg.endsAt - leg.startsAt);
  return drivingSeconds(leg.path) * Math.min(1, Math.max(0, share));
}
