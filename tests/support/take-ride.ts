import type { RideRequest } from '../../generated/types.ts';
import type { Ride, RideStatus } from '../../server/domain/rides/ride.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { findRide } from '../../server/store/rides.ts';
import { dueInWorld } from '../../server/store/timers.ts';
import { findWorld } from '../../server/store/worlds.ts';
import { DOLORES_PARK, FERRY_BUILDING } from './places.ts';
import type { Rider, TestServer } from './server.ts';

/** A passenger of a frozen sandbox, and their ride. */
export interface Riding extends Rider {
  readonly world: World;
  readonly rideId: string;
  /** The parameters of operations on the ride. */
  readonly params: { readonly path: { readonly ride_id: string } };
}

/** A new passenger, in a new sandbox by default, who requested a ride across San Francisco. */
export async function startRiding(
  server: TestServer,
  { world, ...change }: Partial<RideRequest> & { readonly world?: World } = {},
): Promise<Riding> {
  const home = world ?? (await server.newWorld());
  const rider = await server.newRider(home);
  return ridingOf(rider, home, await requestRideOf(rider, change));
}

export function ridingOf(rider: Rider, world: World, rideId: string): Riding {
  return { ...rider, world, rideId, params: { path: { ride_id: rideId } } };
}

/** Requests a ride from the Ferry Building to Dolores Park. @returns its id */
export async function requestRideOf({ api }: Pick<Rider, 'api'>, change: Partial<RideRequest> = {}): Promise<string> {
  const body = { origin: FERRY_BUILDING, destination: DOLORES_PARK, ride_type: 'svc', ...change };
  const { data, error } = await api.requestRide({ body });
  if (data === undefined) throw new Error(`requestRide failed: ${JSON.stringify(error)}`);
  return data.ride_id;
}

/** The current cancellation fee, and the token that confirms it. Throws when canceling is free. */
export async function feeOf({ api, params }: Riding) {
  const { error } = await api.cancelRide({ params });
  if (error?.error !== 'cancel_confirmation_required')
    throw new Error(`cancelRide did not ask to confirm a fee: ${JSON.stringify(error)}`);
  return error;
}

/** Cancels a ride for its fee. @returns the status of the response */
export async function cancelForItsFee(riding: Riding): Promise<number> {
  const body = { cancel_confirmation_token: (await feeOf(riding)).token };
  return (await riding.api.cancelRide({ params: riding.params, body })).response.status;
}

export async function storedRide({ store }: TestServer, world: World, rideId: string): Promise<Ride> {
  const ride = await findRide(store.db, world.id, rideId);
  if (ride === undefined) throw new Error(`The world ${world.id} has no ride ${rideId}.`);
  return ride;
}

/** Advances a frozen sandbox from one due instant to the next, and stops when the ride has the status. */
export async function advanceUntil(server: TestServer, { world, rideId }: Riding, status: RideStatus): Promise<Ride> {
  for (let steps = 0; steps < 20; steps++) {
    const ride = await storedRide(server, world, rideId);
    if (ride.status === status) return ride;
    const next = await dueInWorld(server.store.db, world.id, Number.MAX_SAFE_INTEGER);
    if (next === null) throw new Error(`The ride remains ${ride.status}.`);
    await server.advance(world, next.dueAt - (await timeIn(server, world)));
  }
  throw new Error(`The ride does not reach the status ${status}.`);
}

/** The current time of a frozen sandbox. */
export async function timeIn({ store }: TestServer, { id }: World): Promise<number> {
  const world = await findWorld(store.db, id);
  if (world === undefined || world.clock.running) throw new Error(`The world ${id} is not frozen.`);
  return world.clock.worldAnchor;
}
