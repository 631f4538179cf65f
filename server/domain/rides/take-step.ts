import { cancel } from './cancel.ts';
import { arrive, closeAsUnknown, dropOff, pickUp } from './drive.ts';
import { match, type StepContext } from './match.ts';
import { processPayment } from './pay.ts';
import type { Ride } from './ride.ts';
import type { Step } from './steps.ts';

const STEPS: Readonly<Record<Step, (ride: Ride, at: number, context: StepContext) => Ride>> = {
  match: (ride, at, context) => match(ride, at, context) ?? ride,
  giveUp: (ride, at, context) => cancel(ride, 'no_drivers_available', at, { ...context, fee: 0 }),
  driverCancels: (ride, at, context) => cancel(ride, 'driver', at, { ...context, fee: 0 }),
  arrive,
  pickUp,
  dropOff,
  pay: processPayment,
  closeUnknown: closeAsUnknown,
};

/** The ride after a step at `at`. Returns the same object if there was nothing to do; the step can be retried. */
export function takeStep(ride: Ride, step: Step, at: number, context: StepContext): Ride {
  return STEPS[step](ride, at, context);
}
