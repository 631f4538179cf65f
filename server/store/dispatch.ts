import type { Car, Fleet } from '../domain/fleet/fleet.ts';
import { DRIVER_REST_MS } from '../domain/fleet/rest.ts';
import { metersBetween, type Point } from '../domain/geo.ts';
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

/**
 * A car for a ride that is to have one: the nearest free one of the city, however far, or else the nearest whose driver rests or is not at
 * work. Null when every driver who serves the ride type has a ride.
 */
export async function carOfCity(
  db: Queries,
  fleet: Fleet,
  worldId: string,
  at: number,
  search: Omit<CarSearch, 'limit'>,
): Promise<Car | null> {
  const { area, point } = search;
  const farthest = Math.max(...area.boundary.map(([lng, lat]) => metersBetween(point, { lat, lng })));
  const inCity = { ...search, at, limit: 1, radiusMeters: farthest };
  const [free] = fleet.carsNear({ ...inCity, busy: await busyDriverIds(db, worldId, at - DRIVER_REST_MS) });
  if (free !== undefined) return free;
  const [idle] = fleet.carsNear({
    ...inCity,
    busy: await busyDriverIds(db, worldId, Number.MAX_SAFE_INTEGER),
    offDuty: true,
  });
  return idle ?? null;
}
