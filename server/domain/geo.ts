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

const IN_METERS = { units: 'meters' } as const;

export function metersBetween(a: Point, b: Point): number {
  return distance([a.lng, a.lat], [b.lng, b.lat], IN_METERS);
}

export function milesBetween(a: Point, b: Point): number {
  return metersBetween(a, b) / METERS_PER_MILE;
}

/** Whether a point lies inside a ring or on its edge. */
export function isInside(point: Point, ring: Ring): boolean {
  return booleanPointInPolygon([point.lng, point.lat], polygonOf(ring));
}

export function boxAround(ring: Ring) {
  const lngs = ring.map(([lng]) => lng);
  const lats = ring.map(([, lat]) => lat);
  return { south: Math.min(...lats), west: Math.min(...lngs), north: Math.max(...lats), east: Math.max(...lngs) };
}

type Polygon = Parameters<typeof booleanPointInPolygon>[1] & object;

/** Cached by ring. Given a box, turf checks no edges for a point outside it. */
const polygons = new WeakMap<Ring, Polygon>();

function polygonOf(ring: Ring): Polygon {
  const known = polygons.get(ring);
  if (known !== undefined) return known;
  const { south, west, north, east } = boxAround(ring);
  const coordinates = [ring as unknown as [number, number][]];
  const polygon: Polygon = { type: 'Polygon', bbox: [west, south, east, north], coordinates };
  polygons.set(ring, polygon);
  return polygon;
}
