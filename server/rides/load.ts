import type { Passenger } from '../domain/passenger.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Ride } from '../domain/rides/ride.ts';
import type { World } from '../domain/worlds/clock.ts';
import { knownPassenger } from '../store/passengers.ts';
import { findRide, type HeldRide, holdRide } from '../store/rides.ts';
import type { Queries, Tx } from '../store/schema.ts';
import type { HeldWorld } from '../store/worlds.ts';

/** The caller and their world, as read at the start of the call. */
interface Rider {
  readonly world: World;
  readonly passenger: Passenger;
}

/** The caller's ride. Throws Refusal `ride_not_found` or `ride_does_not_belong_to_user`. */
export async function ownRide(db: Queries, rider: Rider, rideId: string): Promise<Ride> {
  const ride = await findRide(db, rider.world.id, rideId);
  assertOwn(ride, rider);
  return ride;
}

export type OwnRide = HeldRide & { readonly passenger: Passenger };

/** The caller's ride and its world, both locked until the transaction ends. Throws the same errors as ownRide. */
export async function holdOwnRide(tx: Tx, rider: Rider, rideId: string): Promise<OwnRide> {
  const found = await holdRide(tx, rider.world.id, rideId);
  assertOwn(found?.ride, rider);
  return { ...found!, passenger: await passengerIn(tx, found!.world, rider) };
}

/** The caller, read again if the world was reset after the call began. Throws an Error if the reset deleted them. */
export async function passengerIn(db: Queries, world: HeldWorld, rider: Rider): Promise<Passenger> {
  if (world.resets === rider.world.resets) return rider.passenger;
  return knownPassenger(db, world.id, rider.passenger.id);
}

function assertOwn(ride: Ride | undefined, { passenger }: Rider): asserts ride is Ride {
  if (ride === undefined) throw new Refusal('ride_not_found', 'There is no such ride.');
  if (ride.passengerId !== passenger.id) {
    throw new Refusal('ride_does_not_belong_to_user', 'This ride belongs to another passenger.');
  }
}
