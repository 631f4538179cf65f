import type { Car, Fleet } from '../domain/fleet/fleet.ts';
import { DRIVER_REST_MS } from '../domain/fleet/rest.ts';
import type { Point } from '../domain/geo.ts';
import type { ServiceArea } from '../domain/service-area.ts';
import { busyDriverIds } from './rides.ts';
import type { Queries } from './schema.ts';

/** Where free cars are asked for. */
export interface CarSearch {
  readonly area: ServiceArea;
  readonly point: Point;
  readonly rideType?: string;
  readonly limit?: number;
}

/** The free cars of a world at an instant: those of its fleet whose drivers have no ride, nor just had one. */
export async function freeCarsAt(
  db: Queries,
  fleet: Fleet,
  worldId: string,
  at: number,
): Promise<(search: CarSearch) => Car[]> {
  const busy = await busyDriverIds(db, worldId, at - DRIVER_REST_MS);
  return (search) => fleet.carsNear({ ...search, at, busy });
}
