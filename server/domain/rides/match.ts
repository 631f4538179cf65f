import type { Car } from '../fleet/fleet.ts';
import type { Billing } from '../pricing/receipt.ts';
import { planDrive } from '../routes/plan-drive.ts';
import { accept } from './drive.ts';
import type { Driver, Ride } from './ride.ts';
import { eventInstant } from './transition.ts';

export interface StepContext extends Billing {
  readonly seed: string;
  readonly speed: number;
  readonly live: boolean;
  /** The car for the ride at a given time; null when there is none. */
  readonly nearestCar: (ride: Ride, at: number) => Car | null;
  readonly driverOf: (driverId: string) => Driver;
}

/** The ride after the driver of the nearest car accepts it; null when there is no car. */
export function match(ride: Ride, at: number, context: StepContext): Ride | null {
  const acceptedAt = eventInstant(ride, at);
  const car = context.nearestCar(ride, acceptedAt);
  if (car === null) return null;
  const { area, speed, seed, live: driversMayCancel } = context;
  const { id: rideId, origin, destination } = ride;
  const drive = { area, car: car.position, origin, destination, acceptedAt };
  const plan = planDrive({ ...drive, speed, seed, rideId, driversMayCancel });
  return accept(ride, context.driverOf(car.driverId), plan, acceptedAt);
}
