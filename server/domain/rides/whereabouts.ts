import { etaSeconds, type Position, positionOn } from '../routes/leg.ts';
import type { Ride } from './ride.ts';

/** The position of the ride's car from acceptance to drop-off; null otherwise. */
export function vehiclePosition(ride: Ride, at: number): Position | null {
  if (ride.plan === null) return null;
  if (ride.status === 'accepted') return positionOn(ride.plan.toPickup, at);
  if (ride.status === 'arrived') return positionOn(ride.plan.toPickup, ride.plan.toPickup.endsAt);
  return ride.status === 'pickedUp' ? positionOn(ride.plan.trip, at) : null;
}

/** Driving time to the pickup in seconds, at normal speed, while the car is on its way; null otherwise. */
export function pickupEtaSeconds(ride: Ride, at: number): number | null {
  return ride.status === 'accepted' && ride.plan !== null ? etaSeconds(ride.plan.toPickup, at) : null;
}

/** Driving time to the drop-off in seconds, at normal speed, while the passenger is on board; null otherwise. */
export function dropOffEtaSeconds(ride: Ride, at: number): number | null {
  return ride.status === 'pickedUp' && ride.plan !== null ? etaSeconds(ride.plan.trip, at) : null;
}
