import { METERS_PER_MILE, type Point } from '../../server/domain/geo.ts';

/** Places in San Francisco. Only PACIFIC_OCEAN is outside the service area. */
export const FERRY_BUILDING = { lat: 37.7955, lng: -122.3937 };
export const DOLORES_PARK = { lat: 37.7596, lng: -122.4269 };
export const MISSION_DOLORES = { lat: 37.7643, lng: -122.4269 };
export const PACIFIC_OCEAN = { lat: 37.75, lng: -122.8 };

/** The parameters of a trip for `estimateCost`. */
export function tripBetween(start = FERRY_BUILDING, end = DOLORES_PARK) {
  return { start_lat: start.lat, start_lng: start.lng, end_lat: end.lat, end_lng: end.lng };
}

const METERS_PER_DEGREE = 111_195.08;

/** A place `meters` due north of another; negative: south. */
export function northOf({ lat, lng }: Point, meters: number): Point {
  return { lat: lat + meters / METERS_PER_DEGREE, lng };
}

/** A place `miles` due north of another. */
export function milesNorthOf(place: Point, miles: number): Point {
  return northOf(place, miles * METERS_PER_MILE);
}
