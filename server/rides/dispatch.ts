import { areaOf } from '../domain/areas.ts';
import type { Car, CarQuery } from '../domain/fleet/fleet.ts';
import { metersBetween, type Point } from '../domain/geo.ts';
import type { ServiceArea } from '../domain/service-area.ts';
import { MINUTE_MS } from '../domain/time.ts';
import type { World } from '../domain/worlds/clock.ts';
import { hasDrivers } from '../domain/worlds/geography-in.ts';
import { fairJobs } from '../limits/fair-jobs.ts';
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
/**
 * How many extra cars to search for, because some are busy: first a few, then more, then this many of the others at a
 * time.
 */
const SPARE_CARS = [3, 30, 300] as const;
/** Drivers of a whole city, nearest first, who are looked up at once. */
const DRIVERS_AT_ONCE = 300;
/**
 * Searches of whole cities. Each keeps its city in memory.
 * @beyond further ones wait, and applications take turns
 * @heldBy tests/rides/free-cars.test.ts
 */
const inOrder = fairJobs(1);
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
  const place = { area: areaOf(geography, { areaId }), point, at };
  const wanted = rideTypes.filter((rideType) => hasDrivers(settings, areaId, rideType));
  const search: Search = (among) => fleet.carsNear({ ...place, ...among, rideTypes: wanted });
  const free = await nearestFree(db, id, at - DRIVER_REST_MS, { search, rideTypes: wanted, limit });
  return (rideType) => free[wanted.indexOf(rideType)] ?? [];
}

/** Finds cars of each ride type, nearest first, of drivers who are not known to be busy. */
type Search = (among: Required<Pick<CarQuery, 'limit' | 'busy'>>) => Car[];

interface FreeSearch extends Pick<CarSearch, 'rideTypes' | 'limit'> {
  readonly search: Search;
}

/**
 * The nearest cars of each ride type whose drivers have no ride, and have not finished one since a given world time.
 * Checks the nearest cars first, and the next ones while too many are busy.
 */
async function nearestFree(
  db: Queries,
  worldId: string,
  since: number,
  { search, rideTypes, limit }: FreeSearch,
): Promise<Car[][]> {
  const busy = new Set<string>();
  for (let turn = 0; ; turn++) {
    const most = limit + (SPARE_CARS[turn] ?? SPARE_CARS[2]);
    const cars = search({ limit: most, busy });
    const drivers = cars.map(({ driverId }) => driverId);
    for (const driver of await busyDriverIds(db, worldId, since, drivers)) busy.add(driver);
    // a car that serves several ride types may be farther away than the nearest cars of some of them
    const near = rideTypes.map((rideType) => cars.filter((car) => car.rideTypes.includes(rideType)).slice(0, most));
    const free = near.map((some) => some.filter(({ driverId }) => !busy.has(driverId)).slice(0, limit));
    if (near.every((some, index) => some.length < most || free[index]!.length === limit)) return free;
  }
}

/** Runs background work in turns with calls. */
export interface Steps {
  readonly steps: { readonly run: <T>(flow: string, step: () => Promise<T>) => Promise<T> };
}

interface MustSearch extends Pick<CarSearch, 'area' | 'point'> {
  readonly rideType: string;
}

/** The nearest available car for a ride that must get one, regardless of the world's settings. Null: `carOfCity` can help. */
export async function carNearby(
  db: Queries,
  { fleetOf }: Pick<Cars, 'fleetOf'>,
  { id, seed }: World,
  at: number,
  { rideType, ...place }: MustSearch,
): Promise<Car | null> {
  const rideTypes = [rideType];
  const search: Search = (among) => fleetOf(seed).carsNear({ ...place, rideTypes, at, ...among });
  return (await nearestFree(db, id, at - DRIVER_REST_MS, { search, rideTypes, limit: 1 })).flat()[0] ?? null;
}

/**
 * Likewise, of the whole city: the nearest available car, then the nearest whose driver is resting or off duty. Null when
 * every driver of the ride type has a ride. Searches in steps, so that a large city does not hold up other calls.
 * `isBusy` says whether another ride got the car meanwhile.
 */
export function carOfCity(
  db: Queries,
  { fleetOf, steps }: Pick<Cars, 'fleetOf'> & Steps,
  { id, seed, applicationId }: Pick<World, 'id' | 'seed' | 'applicationId'>,
  at: number,
  { area, point, rideType }: MustSearch,
): Promise<Car | null> {
  const step = <T>(work: () => T | Promise<T>) => steps.run(id, async () => work());
  return inOrder(applicationId ?? id, async () => {
    const fleet = fleetOf(seed);
    while (await step(() => fleet.makeSome(area)));
    const radiusMeters = Math.max(...area.boundary.map(([lng, lat]) => metersBetween(point, { lat, lng })));
    const everywhere = { area, point, at, rideTypes: [rideType], radiusMeters, limit: Number.MAX_SAFE_INTEGER };
    const nearestOf = async (since: number, offDuty: boolean) => {
      const cars = await step(() => fleet.carsNear({ ...everywhere, offDuty, busy: NOBODY }));
      for (let from = 0; from < cars.length; from += DRIVERS_AT_ONCE) {
        const some = cars.slice(from, from + DRIVERS_AT_ONCE);
        const drivers = some.map(({ driverId }) => driverId);
        const busy = await step(() => busyDriverIds(db, id, since, drivers));
        const free = some.find(({ driverId }) => !busy.has(driverId));
        if (free !== undefined) return free;
      }
      return null;
    };
    return (await nearestOf(at - DRIVER_REST_MS, false)) ?? nearestOf(Number.MAX_SAFE_INTEGER, true);
  });
}

export async function isBusy(db: Queries, { id }: Pick<World, 'id'>, { driverId }: Car): Promise<boolean> {
  return (await busyDriverIds(db, id, Number.MAX_SAFE_INTEGER, [driverId])).size > 0;
}
