import { cancel } from './cancel.ts';
import { arrive, closeAsUnknown, dropOff, pickUp } from './drive.ts';
import { type MatchContext, match } from './match.ts';
import { processPayment } from './pay.ts';
import type { Ride } from './ride.ts';
import type { Step } from './steps.ts';

/** The context of a step, in addition to the ride. */
export interface StepContext extends MatchContext {
  /** Display name of the passenger's payment method. */
  readonly paymentMethod: string;
}

/** The ride after a step at `at`. Returns the same object if there was nothing to do; the step can be retried. */
export function takeStep(ride: Ride, step: Step, at: number, context: StepContext): Ride {
  const free = { fee: 0, area: context.area, method: context.paymentMethod };
  switch (step) {
    case 'match':
      return match(ride, at, context) ?? ride;
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
