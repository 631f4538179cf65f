import type { Point } from '../geo.ts';
import type { Driver } from '../rides/ride.ts';
import type { Position } from '../routes/leg.ts';
import type { ServiceArea } from '../service-area.ts';

export interface Car {
  readonly driverId: string;
  readonly position: Point;
  /** Degrees from north, 0 to 360. */
  readonly bearing: number;
  /** The ride types it serves, in the area's order. */
  readonly rideTypes: readonly string[];
  /** Its five latest positions, oldest first; the last one equals `position`. */
  readonly trail: readonly Position[];
}

export interface CarQuery {
  readonly area: ServiceArea;
  readonly point: Point;
  /** World time. */
  readonly at: number;
  /** Only cars that serve one of these types; absent: any. */
  readonly rideTypes?: readonly string[];
  /** Straight-line distance; 5000 if absent. */
  readonly radiusMeters?: number;
  /** The most cars for each ride type, or in total without `rideTypes`; 20 if absent. */
  readonly limit?: number;
  /** Whether to include drivers who are off duty at that time. */
  readonly offDuty?: boolean;
  /** Drivers with a ride or shortly after one. The search skips them. */
  readonly busy: ReadonlySet<string>;
}

/** Finds cars and their drivers. A real dispatch system can implement it. */
export interface Fleet {
  /** Free cars near a point, nearest first. */
  carsNear(query: CarQuery): Car[];
  /** Makes some more cars of an area. A search of the whole area needs all. @returns whether there are more to make */
  makeSome(area: ServiceArea): boolean;
  /** The driver of a car from `carsNear`. Throws an Error for an id that this fleet never returned. */
  driverOf(area: ServiceArea, driverId: string): Driver;
}
