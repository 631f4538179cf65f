import { METERS_PER_MILE, type Point } from '../../server/domain/geo.ts';

/** Places in San Francisco, all served, and some that are not. */
export const FERRY_BUILDING = { lat: 37.7955, lng: -122.3937 };
export const DOLORES_PARK = { lat: 37.7596, lng: -122.4269 };
export const MISSION_DOLORES = { lat: 37.7643, lng: -122.4269 };
export const PACIFIC_OCEAN = { lat: 37.75, lng: -122.8 };

/** A place that many miles due north of another. */
export function milesNorthOf({ lat, lng }: Point, miles: number): Point {
  return { lat: lat + (miles * METERS_PER_MILE) / 111_195.08, lng };
}
