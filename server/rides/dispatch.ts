import { areaOf } from '../domain/areas.ts';
import type { Car, Fleet } from '../domain/fleet/fleet.ts';
import { DRIVER_REST_MS } from '../domain/fleet/rest.ts';
import { metersBetween, type Point } from '../domain/geo.ts';
import type { Geography, ServiceArea } from '../domain/service-area.ts';
import type { World } from '../domain/worlds/clock.ts';
import { hasDrivers } from '../domain/worlds/geography-in.ts';
import { busyDriverIds } from '../store/rides.ts';
import type { Queries } from '../store/schema.ts';

/** The cars of every world, and the areas where they drive. */
export interface Cars {
  readonly geography: Geography;
  /** By the world's seed. */
  readonly fleetOf: (seed: string) => Fleet;
}

/** Where to look for free cars. */
export interface Pickup {
  readonly area: ServiceArea;
  readonly point: Point;
}

export interface CarSearch extends Pickup {
  readonly rideTypes: readonly string[];
  /** Limit for each ride type. */
  readonly limit: number;
}

/** How many extra cars a search looks at, because some are busy. */
const SPARE_CARS = 15;
const NOBODY: ReadonlySet<string> = new Set();

/**
 * Finds a world's free cars near a point at an instant: the driver has no ride, has not just finished one, and is
 * available in the world's settings. The cost depends on the cars near the point, not on the rides of the world.
 * @returns the free cars of a ride type, nearest first
 */
export async function freeCarsAt(
  db: Queries,
  { geography, fleetOf }: Cars,
  { id, seed, settings }: World,
  at: number,
  { area: { id: areaId }, point, rideTypes, limit }: CarSearch,
): Promise<(rideType: string) => Car[]> {
  const fleet = fleetOf(seed);
  // the plain area: a world's settings may lack a ride type, but its cars still serve it
  const place = { area: areaOf(geography, { areaId }), point, at, busy: NOBODY };
  const wanted = rideTypes.filter((rideType) => hasDrivers(settings, areaId, rideType));
  for (let most = limit + SPARE_CARS; ; most = Number.POSITIVE_INFINITY) {
    const near = wanted.map((rideType) => fleet.carsNear({ ...place, rideType, limit: most }));
    const drivers = new Set(near.flat().map(({ driverId }) => driverId));
    const busy = await busyDriverIds(db, id, at - DRIVER_REST_MS, [...drivers]);
    const free = near.map((cars) => cars.filter(({ driverId }) => !busy.has(driverId)).slice(0, limit));
    // almost always true; if not, there may be free cars farther away
    if (near.every((cars, index) => cars.length < most || free[index]!.length === limit)) {
      return (rideType) => free[wanted.indexOf(rideType)] ?? [];
    }
  }
}

/**
 * Finds a car for a ride that must get one, whatever the world's settings: the nearest free car of the city, or else
 * the nearest whose driver rests or is off duty. Null when every driver of the ride type has a ride.
 */
export async function carOfCity(
  db: Queries,
  { fleetOf }: Pick<Cars, 'fleetOf'>,
  { id, seed }: World,
  at: number,
  { area, point, rideType }: Pickup & { readonly rideType: string },
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
