import { areaOf } from '../domain/areas.ts';
import type { Car, CarQuery } from '../domain/fleet/fleet.ts';
import { metersBetween, type Point } from '../domain/geo.ts';
import type { ServiceArea } from '../domain/service-area.ts';
import { MINUTE_MS } from '../domain/time.ts';
import type { World } from '../domain/worlds/clock.ts';
import { hasDrivers } from '../domain/worlds/geography-in.ts';
import type { Parts } from '../parts.ts';
import { busyDriverIds } from '../store/rides.ts';
import type { Queries } from '../store/schema.ts';

/** The cars of every world, and their service areas. */
export type Cars = Pick<Parts, 'geography' | 'fleetOf'>;

export interface CarSearch {
  readonly area: ServiceArea;
  readonly point: Point;
  readonly rideTypes: readonly string[];
  /** Limit for each ride type. */
  readonly limit: number;
}

/** How long a driver is unavailable after a ride, because the car is not at the position that the fleet computes. */
export const DRIVER_REST_MS = 10 * MINUTE_MS;
/** How many extra cars to search for, because some are busy: first a few, then more, then all. */
const SPARE_CARS = [3, 30] as const;
const NOBODY: ReadonlySet<string> = new Set();

/**
 * Finds a world's available cars near a point at a given time. A car is available if its driver has no ride, has not
 * just finished one, and is enabled in the world's settings. The cost depends on the cars near the point, not on the
 * number of rides in the world.
 */
export async function freeCarsAt(
  db: Queries,
  { geography, fleetOf }: Cars,
  { id, seed, settings }: World,
  at: number,
  { area: { id: areaId }, point, rideTypes, limit }: CarSearch,
): Promise<(rideType: string) => Car[]> {
  const fleet = fleetOf(seed);
  // the unmodified area: a world's settings may omit a ride type that its cars still serve
  const place = { area: areaOf(geography, { areaId }), point, at, busy: NOBODY };
  const wanted = rideTypes.filter((rideType) => hasDrivers(settings, areaId, rideType));
  const search = (most: number) => fleet.carsNear({ ...place, rideTypes: wanted, limit: most });
  const free = await nearestFree(db, id, at - DRIVER_REST_MS, { search, rideTypes: wanted, limit });
  return (rideType) => free[wanted.indexOf(rideType)] ?? [];
}

interface FreeSearch extends Pick<CarSearch, 'rideTypes' | 'limit'> {
  /** Finds this many cars of each ride type, nearest first, available or busy. */
  readonly search: (most: number) => Car[];
}

/**
 * The nearest cars of each ride type whose drivers have no ride, and have not finished one since a given world time.
 * Checks the nearest cars first, and all of them if too many are busy.
 */
async function nearestFree(
  db: Queries,
  worldId: string,
  since: number,
  { search, rideTypes, limit }: FreeSearch,
): Promise<Car[][]> {
  for (let turn = 0; ; turn++) {
    const most = limit + (SPARE_CARS[turn] ?? Number.POSITIVE_INFINITY);
    const cars = search(most);
    const drivers = cars.map(({ driverId }) => driverId);
    const busy = await busyDriverIds(db, worldId, since, drivers);
    // a car that serves several ride types may be farther away than the nearest cars of some of them
    const near = rideTypes.map((rideType) => cars.filter((car) => car.rideTypes.includes(rideType)).slice(0, most));
    const free = near.map((some) => some.filter(({ driverId }) => !busy.has(driverId)).slice(0, limit));
    if (near.every((some, index) => some.length < most || free[index]!.length === limit)) return free;
  }
}

/**
 * Finds a car for a ride that must get one, regardless of the world's settings. Prefers the nearest available car of
 * the city, then the nearest whose driver is resting or off duty. Null when every driver of the ride type has a ride.
 */
export async function carOfCity(
  db: Queries,
  { fleetOf }: Pick<Cars, 'fleetOf'>,
  { id, seed }: World,
  at: number,
  { area, point, rideType }: Pick<CarSearch, 'area' | 'point'> & { readonly rideType: string },
): Promise<Car | null> {
  const fleet = fleetOf(seed);
  const farthest = Math.max(...area.boundary.map(([lng, lat]) => metersBetween(point, { lat, lng })));
  const rideTypes = [rideType];
  const place = { area, point, rideTypes, at, busy: NOBODY, radiusMeters: farthest };
  const nearestOf = async (since: number, among: Pick<CarQuery, 'offDuty'>) => {
    const search = (limit: number) => fleet.carsNear({ ...place, ...among, limit });
    return (await nearestFree(db, id, since, { search, rideTypes, limit: 1 })).flat()[0];
  };
  const idle = await nearestOf(at - DRIVER_REST_MS, {});
  return idle ?? (await nearestOf(Number.MAX_SAFE_INTEGER, { offDuty: true })) ?? null;
}
