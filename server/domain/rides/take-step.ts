import type { Car } from '../fleet/fleet.ts';
import { planDrive } from '../routes/plan-drive.ts';
import type { ServiceArea } from '../service-area.ts';
import { cancel } from './cancel.ts';
import { accept, arrive, closeAsUnknown, dropOff, pickUp } from './drive.ts';
import { processPayment } from './pay.ts';
import type { Driver, Ride } from './ride.ts';
import type { Step } from './steps.ts';
import { eventInstant } from './transition.ts';

/** What a step needs to know beyond the ride. */
export interface StepContext {
  /** The ride's area. */
  readonly area: ServiceArea;
  /** The world's seed. */
  readonly seed: string;
  readonly speed: number;
  readonly live: boolean;
  /** The nearest free car that serves the ride, at an instant; null when there is none. */
  readonly nearestCar: (ride: Ride, at: number) => Car | null;
  readonly driverOf: (driverId: string) => Driver;
  /** Display name of the passenger's payment method. */
  readonly paymentMethod: string;
}

/** The ride after a step that happens at `at`. The very same ride: the step found nothing to do, and may be tried again. */
export function takeStep(ride: Ride, step: Step, at: number, context: StepContext): Ride {
  const free = { fee: 0, area: context.area, method: context.paymentMethod };
  switch (step) {
    case 'match':
      return match(ride, at, context);
    case 'giveUp':
      return cancel(ride, 'no_drivers_available', at, free);
    case 'driverCancels':
      return cancel(ride, 'driver', at, free);
    case 'arrive':
      return arrive(ride, at);
    case 'pickUp':
      return pickUp(ride, at);
    case 'dropOff':
      return dropOff(ride, at);
    case 'pay':
      return processPayment(ride, at, { area: context.area, method: context.paymentMethod });
    case 'closeUnknown':
      return closeAsUnknown(ride, at);
  }
}

function match(ride: Ride, at: number, context: StepContext): Ride {
  const acceptedAt = eventInstant(ride, at);
  const car = context.nearestCar(ride, acceptedAt);
  if (car === null) return ride;
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
