import { areaOf } from '../domain/areas.ts';
import type { Car, Fleet } from '../domain/fleet/fleet.ts';
import { DRIVER_REST_MS } from '../domain/fleet/rest.ts';
import { metersBetween, type Point } from '../domain/geo.ts';
import type { Geography, ServiceArea } from '../domain/service-area.ts';
import type { World } from '../domain/worlds/clock.ts';
import { hasDrivers } from '../domain/worlds/geography-in.ts';
import { busyDriverIds } from '../store/rides.ts';
import type { Queries } from '../store/schema.ts';

/** The cars of every world, and the areas that they drive in. */
export interface Cars {
  readonly geography: Geography;
  /** By the world's seed. */
  readonly fleetOf: (seed: string) => Fleet;
}

/** Where free cars are asked for. */
export interface CarSearch {
  readonly area: ServiceArea;
  readonly point: Point;
  readonly rideType: string;
  readonly limit: number;
}

/** The free cars of a world at an instant: those of its fleet whose drivers have no ride, nor just had one, nor were sent away. */
export async function freeCarsAt(
  db: Queries,
  { geography, fleetOf }: Cars,
  { id, seed, settings }: World,
  at: number,
): Promise<(search: CarSearch) => Car[]> {
  const busy = await busyDriverIds(db, id, at - DRIVER_REST_MS);
  const fleet = fleetOf(seed);
  return ({ area, ...search }) => {
    if (!hasDrivers(settings, area.id, search.rideType)) return [];
    // the area as the world has it may lack ride types, and a car serves those that it always did
    return fleet.carsNear({ ...search, area: areaOf(geography, { areaId: area.id }), at, busy });
  };
}

/**
 * A car for a ride that is to have one, whoever was sent away: the nearest free one of the city, however far, or else the nearest whose
 * driver rests or is not at work. Null when every driver who serves the ride type has a ride.
 */
export async function carOfCity(
  db: Queries,
  { fleetOf }: Pick<Cars, 'fleetOf'>,
  { id, seed }: World,
  at: number,
  { area, point, rideType }: Omit<CarSearch, 'limit'>,
): Promise<Car | null> {
  const fleet = fleetOf(seed);
  const farthest = Math.max(...area.boundary.map(([lng, lat]) => metersBetween(point, { lat, lng })));
  const search = { area, point, rideType, at, limit: 1, radiusMeters: farthest };
  const [free] = fleet.carsNear({ ...search, busy: await busyDriverIds(db, id, at - DRIVER_REST_MS) });
  if (free !== undefined) return free;
  const busy = await busyDriverIds(db, id, Number.MAX_SAFE_INTEGER);
  const [idle] = fleet.carsNear({ ...search, busy, offDuty: true });
  return idle ?? null;
}
