import type { Point } from '../geo.ts';
import type { Position } from '../routes/leg.ts';
import { planeAt } from '../routes/plane.ts';
import { SECOND_MS } from '../time.ts';

/** No car goes farther than this from its home. */
export const MAX_STRAY_METERS = 500;
/** The part of its room that a loop can take. */
const SHARE_OF_ROOM = 0.95;
/** With this much room, more makes no difference. */
export const ROOM_METERS = MAX_STRAY_METERS / SHARE_OF_ROOM;
const MIN_SIDE_SHARE = 0.25;
const MIN_KM_PER_HOUR = 12;
export const MAX_KM_PER_HOUR = 40;
/** On a shorter loop, the car does not move. */
const MIN_PERIMETER_METERS = 40;

export type Loop = Readonly<ReturnType<typeof loopAround>>;

/**
 * A rectangle of streets around a car's home. The car drives along it when it has no ride.
 * @param room meters from the home to the edge of the area
 * @param uniforms four numbers in [0, 1)
 */
export function loopAround(home: Point, heading: number, room: number, uniforms: readonly number[]) {
  const [shape, size, pace, start] = uniforms as [number, number, number, number];
  const reach = Math.min(MAX_STRAY_METERS, room * SHARE_OF_ROOM) * (0.4 + 0.6 * size);
  const angle = (MIN_SIDE_SHARE + (1 - 2 * MIN_SIDE_SHARE) * shape) * (Math.PI / 2);
  const halfAlong = reach * Math.cos(angle);
  const halfAcross = reach * Math.sin(angle);
  const perimeter = 4 * (halfAlong + halfAcross);
  const kmPerHour = MIN_KM_PER_HOUR + (MAX_KM_PER_HOUR - MIN_KM_PER_HOUR) * pace;
  return {
    /** Centered on the home and rotated to the heading. Cached, because every position needs it. */
    plane: planeAt(home, heading),
    heading,
    /** Half the length of each side, in meters. */
    halfAlong,
    halfAcross,
    metersPerSecond: perimeter < MIN_PERIMETER_METERS ? 0 : kmPerHour / 3.6,
    /** Meters driven along the loop at time 0. */
    start: start * perimeter,
  };
}

export function positionOnLoop(loop: Loop, at: number): Position {
  const { halfAlong: a, halfAcross: b, heading } = loop;
  const driven = (loop.start + (loop.metersPerSecond * at) / SECOND_MS) % (4 * (a + b)) || 0;
  if (driven < 2 * a) return on(loop, driven - a, -b, heading);
  if (driven < 2 * a + 2 * b) return on(loop, a, driven - 2 * a - b, heading + 90);
  if (driven < 4 * a + 2 * b) return on(loop, 3 * a + 2 * b - driven, b, heading + 180);
  return on(loop, -a, 4 * a + 3 * b - driven, heading + 270);
}

function on({ plane }: Loop, along: number, across: number, bearing: number): Position {
  const { lat, lng } = plane.toPoint({ along, across });
  return { lat, lng, bearing: bearing % 360 };
}
