import type { Car } from '../fleet/fleet.ts';
import { planDrive } from '../routes/plan-drive.ts';
import type { ServiceArea } from '../service-area.ts';
import { accept } from './drive.ts';
import type { Driver, Ride } from './ride.ts';
import { eventInstant } from './transition.ts';

export interface MatchContext {
  readonly area: ServiceArea;
  readonly seed: string;
  readonly speed: number;
  readonly live: boolean;
  /** The car for the ride at a given time; null when there is none. */
  readonly nearestCar: (ride: Ride, at: number) => Car | null;
  readonly driverOf: (driverId: string) => Driver;
}

/** The ride after the driver of the nearest car accepts it; null when there is no car. */
export function match(ride: Ride, at: number, context: MatchContext): Ride | null {
  const acceptedAt = eventInstant(ride, at);
  const car = context.nearestCar(ride, acceptedAt);
  if (car === null) return null;
  const plan = planDrive({
    area: context.area,
    car: car.position,
    origin: ride.origin,
    destination: ride.destination,
    acceptedAt,
    speed: context.speed,
    seed: context.seed,
    rideId: ride.id,
    driversMayCancel: context.live,
  });
  return accept(ride, context.driverOf(car.driverId), plan, acceptedAt);
}
