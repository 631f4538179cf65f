import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon';
import { distance } from '@turf/distance';

/** Degrees, WGS 84. */
export interface Point {
  readonly lat: number;
  readonly lng: number;
}

/** A closed ring of [longitude, latitude] pairs, as in GeoJSON: the last pair repeats the first. */
export type Ring = ReadonlyArray<readonly [lng: number, lat: number]>;

export const METERS_PER_MILE = 1609.344;

/** Great-circle distance in metres. */
export function metersBetween(a: Point, b: Point): number {
  return distance([a.lng, a.lat], [b.lng, b.lat], { units: 'meters' });
}

/** Great-circle distance in miles. */
export function milesBetween(a: Point, b: Point): number {
  return metersBetween(a, b) / METERS_PER_MILE;
}

/** Whether a point lies inside a ring or on its edge. */
export function isInside(point: Point, ring: Ring): boolean {
  return booleanPointInPolygon([point.lng, point.lat], {
    type: 'Polygon',
    coordinates: [ring as unknown as [number, number][]],
  });
}
