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
  const searches = wanted.map((rideType) => (most: number) => fleet.carsNear({ ...place, rideType, limit: most }));
  const free = await nearestFree(db, id, at - DRIVER_REST_MS, searches, limit);
  return (rideType) => free[wanted.indexOf(rideType)] ?? [];
}

/**
 * The nearest cars of each search whose drivers have no ride, and finished none since an instant of the world. Asks about
 * the nearest cars first, and about all of them if too many are busy.
 */
async function nearestFree(
  db: Queries,
  worldId: string,
  since: number,
  searches: ReadonlyArray<(most: number) => Car[]>,
  limit: number,
): Promise<Car[][]> {
  for (let most = limit + SPARE_CARS; ; most = Number.POSITIVE_INFINITY) {
    const near = searches.map((search) => search(most));
    const drivers = new Set(near.flat().map(({ driverId }) => driverId));
    const busy = await busyDriverIds(db, worldId, since, [...drivers]);
    const free = near.map((cars) => cars.filter(({ driverId }) => !busy.has(driverId)).slice(0, limit));
    if (near.every((cars, index) => cars.length < most || free[index]!.length === limit)) return free;
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
  const search = { area, point, rideType, at, busy: NOBODY, radiusMeters: farthest };
  const onDuty = (limit: number) => fleet.carsNear({ ...search, limit });
  const everyone = (limit: number) => fleet.carsNear({ ...search, limit, offDuty: true });
  const [free] = (await nearestFree(db, id, at - DRIVER_REST_MS, [onDuty], 1)).flat();
  const [idle] = free ? [free] : (await nearestFree(db, id, Number.MAX_SAFE_INTEGER, [everyone], 1)).flat();
  return idle ?? null;
}
