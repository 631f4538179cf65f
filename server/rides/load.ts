import type { Passenger } from '../domain/passenger.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Ride } from '../domain/rides/ride.ts';
import type { World } from '../domain/worlds/clock.ts';
import { knownPassenger } from '../store/passengers.ts';
import { findRide } from '../store/rides.ts';
import type { Queries } from '../store/schema.ts';

/** Who acts in which world. */
interface Rider {
  readonly world: World;
  readonly passengerId: string;
}

/** The passenger whom a user token acts for. Throws an Error when the token outlived its passenger. */
export function passengerOf(db: Queries, { world, passengerId }: Rider): Promise<Passenger> {
  return knownPassenger(db, world.id, passengerId);
}

/** The caller's ride. Throws Refusal `ride_not_found` or `ride_does_not_belong_to_user`. */
export async function ownRide(db: Queries, { world, passengerId }: Rider, rideId: string): Promise<Ride> {
  const ride = await findRide(db, world.id, rideId);
  if (ride === undefined) throw new Refusal('ride_not_found', 'There is no such ride.');
  if (ride.passengerId !== passengerId) {
    throw new Refusal('ride_does_not_belong_to_user', 'This ride belongs to another passenger.');
  }
  return ride;
}
