import type { Point } from '../geo.ts';
import type { Driver } from '../rides/ride.ts';
import type { Position } from '../routes/leg.ts';
import type { ServiceArea } from '../service-area.ts';

/** A car that is free to be asked for. */
export interface Car {
  readonly driverId: string;
  readonly position: Point;
  /** Degrees from north, 0 to 360. */
  readonly bearing: number;
  /** The ride types it serves, in the area's order. */
  readonly rideTypes: readonly string[];
  /** Its five latest positions, oldest first; the last one is `position`. */
  readonly trail: readonly Position[];
}

export interface CarQuery {
  readonly area: ServiceArea;
  readonly point: Point;
  /** Instant of the world's clock. */
  readonly at: number;
  /** Only cars that serve this type; absent: any. */
  readonly rideType?: string;
  /** As the crow flies; 5000 unless given. */
  readonly radiusMeters?: number;
  /** 20 unless given. */
  readonly limit?: number;
  /** Whether drivers count who are not at work at that hour. */
  readonly offDuty?: boolean;
  /** Drivers who have a ride, or have just ended one: they are not on the map. */
  readonly busy: ReadonlySet<string>;
}

/** Where cars are and who drives them. A real dispatch system could stand behind it. */
export interface Fleet {
  /** Free cars near a point, nearest first. */
  carsNear(query: CarQuery): Car[];
  /** The driver of a car that `carsNear` gave. Throws an Error for an id that this fleet never gave. */
  driverOf(area: ServiceArea, driverId: string): Driver;
}
