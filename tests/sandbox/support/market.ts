import { expect } from 'vitest';
import type { Operations } from '../../../client/client.ts';
import type { World } from '../../../server/domain/worlds/clock.ts';
import { DOLORES_PARK, FERRY_BUILDING, tripBetween } from '../../support/places.ts';
import { LIVE, type Rider, type TestServer } from '../../support/server.ts';

export const CHICAGO = { lat: 41.8786, lng: -87.6251 };
const IN_CHICAGO = { lat: 41.9, lng: -87.64 };

/** The offers for a ride across San Francisco. A ride type without a driver near has the arrival time null. */
export async function marketOf(api: Operations, place = FERRY_BUILDING, end = DOLORES_PARK) {
  const here = { params: { query: place } };
  const [types, costs, etas, drivers, pickups] = [
    (await api.listRideTypes(here)).data!.ride_types,
    (await api.estimateCost({ params: { query: tripBetween(place, end) } })).data!.cost_estimates,
    (await api.estimateEta(here)).data!.eta_estimates,
    (await api.listDrivers(here)).data!.nearby_drivers,
    (await api.listPickupEtas(here)).data!.nearby_drivers_pickup_etas,
  ];
  return {
    rideTypes: types.map(({ ride_type }) => ride_type),
    primeTime: Object.fromEntries(costs.map((cost) => [cost.ride_type, cost.primetime_percentage])),
    etas: Object.fromEntries(etas.map(({ ride_type, eta_seconds }) => [ride_type, eta_seconds])),
    cars: Object.fromEntries(drivers.map(({ ride_type, drivers }) => [ride_type, drivers.length])),
    pickups: pickups.map(({ ride_type }) => ride_type),
  };
}

/** A passenger in a new sandbox. */
export interface Stage extends Rider {
  readonly world: World;
}

export async function newStage(server: TestServer, options?: Parameters<TestServer['newWorld']>[0]): Promise<Stage> {
  const world = await server.newWorld(options);
  return { world, ...(await server.newRider(world)) };
}

/**
 * Expects a change in San Francisco to be invisible elsewhere: in other sandboxes, live, and in Chicago. @returns the
 * view
 */
export async function expectUnseenElsewhere(server: TestServer, { api }: Stage, change: () => Promise<unknown>) {
  const apis = [(await newStage(server)).api, (await server.newRider(LIVE)).api];
  const look = async () => [
    ...(await Promise.all(apis.map((of) => marketOf(of)))),
    await marketOf(api, CHICAGO, IN_CHICAGO),
  ];
  const before = await look();
  await change();
  expect(await look()).toEqual(before);
  return before;
}
