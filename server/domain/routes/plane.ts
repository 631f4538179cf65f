import type { Point, Ring } from '../geo.ts';

export const METERS_PER_DEGREE = 111_195;
const RADIANS = Math.PI / 180;

/** Meters from a plane's origin: along its heading, and to the right of it. */
export interface Offset {
  readonly along: number;
  readonly across: number;
}

/** @param heading degrees from north, clockwise */
export function planeAt(origin: Point, heading: number): Plane {
  return new Plane(origin, Math.sin(heading * RADIANS), Math.cos(heading * RADIANS));
}

/**
 * A flat map around a point, rotated to a heading. Accurate enough for a city. A class, because each car keeps one:
 * closures take twice the memory.
 */
export class Plane {
  private readonly metersPerLng: number;

  constructor(
    private readonly origin: Point,
    private readonly sin: number,
    private readonly cos: number,
  ) {
    this.metersPerLng = METERS_PER_DEGREE * Math.cos(origin.lat * RADIANS);
  }

  toPlane({ lat, lng }: Point): Offset {
    const east = (lng - this.origin.lng) * this.metersPerLng;
    const north = (lat - this.origin.lat) * METERS_PER_DEGREE;
    return { along: east * this.sin + north * this.cos, across: east * this.cos - north * this.sin };
  }

  toPoint({ along, across }: Offset): Point {
    const east = along * this.sin + across * this.cos;
    const north = along * this.cos - across * this.sin;
    return { lat: this.origin.lat + north / METERS_PER_DEGREE, lng: this.origin.lng + east / this.metersPerLng };
  }
}

/** Heading from one point to another, in degrees from north, 0 to 360. */
export function bearingBetween(from: Point, to: Point): number {
  const { along: north, across: east } = planeAt(from, 0).toPlane(to);
  return (Math.atan2(east, north) / RADIANS + 360) % 360;
}

/** Meters from a point to the nearest edge of a ring. */
export function metersToEdge(point: Point, ring: Ring): number {
  const plane = planeAt(point, 0);
  const corners = ring.map(([lng, lat]) => plane.toPlane({ lat, lng }));
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 1; i < corners.length; i++) {
    const a = corners[i - 1]!;
    const b = corners[i]!;
    const dx = b.along - a.along;
    const dy = b.across - a.across;
    const length = dx * dx + dy * dy;
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, -(a.along * dx + a.across * dy) / length));
    nearest = Math.min(nearest, Math.hypot(a.along + share * dx, a.across + share * dy));
  }
  return nearest;
}
