import { draws } from '../chance.ts';
import { METERS_PER_MILE, metersBetween, type Point } from '../geo.ts';
import type { ServiceArea } from '../service-area.ts';
import type { Waypoint } from './plan.ts';
import { bearingBetween, planeAt } from './plane.ts';

export type Streets = Pick<ServiceArea, 'streetBearing' | 'cityKmPerHour'>;

const CITY_END_METERS = 4000;
const HIGHWAY_KM_PER_HOUR = 90;
const MAX_CITY_KM_PER_HOUR = 105;
const HIGHWAY_STRETCH_METERS = 3000;
const METERS_BETWEEN_TURNS = 400;
const MAX_STAIRS = 8;
const TURN_SECONDS = 6;
const TURN_DEGREES = 30;
/** About two meters: most corners are farther apart than this and need no exact measurement. */
const SURELY_A_METER_LAT = 2e-5;

interface Stretch {
  readonly end: Point;
  readonly kmPerHour: number;
}

/**
 * A plausible route between two points along the street grid. A route longer than eight kilometers has a highway in the
 * middle. The same points give the same route.
 */
export function route(from: Point, to: Point, streets: Streets): Waypoint[] {
  const cityKmPerHour = Math.min(streets.cityKmPerHour, MAX_CITY_KM_PER_HOUR);
  const inCity = (start: Point, end: Point): Stretch[] =>
    stairs(start, end, streets.streetBearing).map((point) => ({ end: point, kmPerHour: cityKmPerHour }));

  const straight = metersBetween(from, to);
  if (straight <= 2 * CITY_END_METERS) return timed(from, inCity(from, to));

  const onRamp = between(from, to, CITY_END_METERS / straight);
  const offRamp = between(from, to, 1 - CITY_END_METERS / straight);
  return timed(from, [...inCity(from, onRamp), ...highway(onRamp, offRamp), ...inCity(offRamp, to)]);
}

/** Length of a path in miles, rounded to hundredths. Responses and prices use the same value. */
export function lengthMiles(path: readonly Point[]): number {
  let meters = 0;
  for (let i = 1; i < path.length; i++) meters += metersBetween(path[i - 1]!, path[i]!);
  return Math.round((meters / METERS_PER_MILE) * 100) / 100;
}

/** Driving time of a whole path in seconds, at normal speed. */
export function drivingSeconds(path: readonly Waypoint[]): number {
  return path.at(-1)?.seconds ?? 0;
}

/**
 * Driving time from a car to a point in whole seconds, at least 1, at normal speed, on the route that the car would
 * take.
 */
export function pickupSeconds(car: Point, point: Point, streets: Streets): number {
  return Math.max(1, Math.ceil(drivingSeconds(route(car, point, streets))));
}

/** The corners of a staircase along the grid, including the end but not the start. */
function stairs(from: Point, to: Point, streetBearing: number): Point[] {
  const plane = planeAt(from, streetBearing);
  const { along, across } = plane.toPlane(to);
  const steps = Math.min(
    MAX_STAIRS,
    Math.max(2, Math.round((Math.abs(along) + Math.abs(across)) / (2 * METERS_BETWEEN_TURNS))),
  );
  const uneven = draws(2 * steps, 'streets', from.lat, from.lng, to.lat, to.lng);
  const share = (step: number, at: number) => (step === steps ? 1 : (step + (uneven[at]! - 0.5) / 2) / steps);

  const corners: Point[] = [];
  let walked = 0;
  for (let step = 1; step <= steps; step++) {
    const nextAlong = along * share(step, 2 * step - 2);
    corners.push(rounded(plane.toPoint({ along: nextAlong, across: walked })));
    walked = across * share(step, 2 * step - 1);
    corners.push(rounded(plane.toPoint({ along: nextAlong, across: walked })));
  }
  corners.pop();
  return [...distinct(from, corners, to), { lat: to.lat, lng: to.lng }];
}

function highway(from: Point, to: Point): Stretch[] {
  const count = Math.ceil(metersBetween(from, to) / HIGHWAY_STRETCH_METERS);
  return Array.from({ length: count }, (_, i) => ({
    end: rounded(between(from, to, (i + 1) / count)),
    kmPerHour: HIGHWAY_KM_PER_HOUR,
  }));
}

/** Computes the driving time of each stretch. A turn delays the stretch after it. */
function timed(from: Point, stretches: readonly Stretch[]): Waypoint[] {
  const path: Waypoint[] = [{ lat: from.lat, lng: from.lng, seconds: 0 }];
  let heading: number | null = null;
  for (const { end, kmPerHour } of stretches) {
    const last = path.at(-1)!;
    const next = bearingBetween(last, end);
    const delay = heading !== null && degreesApart(heading, next) > TURN_DEGREES ? TURN_SECONDS : 0;
    const seconds = metersBetween(last, end) / (kmPerHour / 3.6) + delay;
    path.push({ lat: end.lat, lng: end.lng, seconds: Math.round((last.seconds + seconds) * 1000) / 1000 });
    heading = next;
  }
  return path;
}

/** Drops corners within a meter of the previous corner or of the end. */
function distinct(from: Point, corners: readonly Point[], to: Point): Point[] {
  const kept: Point[] = [];
  for (const corner of corners) {
    if (isAMeterFrom(kept.at(-1) ?? from, corner) && isAMeterFrom(corner, to)) kept.push(corner);
  }
  return kept;
}

function isAMeterFrom(a: Point, b: Point): boolean {
  return Math.abs(a.lat - b.lat) > SURELY_A_METER_LAT || metersBetween(a, b) >= 1;
}

function between(from: Point, to: Point, share: number): Point {
  return { lat: from.lat + (to.lat - from.lat) * share, lng: from.lng + (to.lng - from.lng) * share };
}

/** Rounds to about ten centimeters: enough for a map, and short to store. */
function rounded(point: Point): Point {
  return { lat: Math.round(point.lat * 1e6) / 1e6, lng: Math.round(point.lng * 1e6) / 1e6 };
}

function degreesApart(a: number, b: number): number {
  const difference = Math.abs(a - b) % 360;
  return Math.min(difference, 360 - difference);
}
