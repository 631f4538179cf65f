import { cancelFee } from '../pricing/cancel-penalty.ts';
import { Refusal } from '../refusal.ts';
import { cancel } from './cancel.ts';
import { arrive, closeAsUnknown, dropOff, pickUp } from './drive.ts';
import { match, type StepContext } from './match.ts';
import type { Canceler, Ride, RideStatus } from './ride.ts';
import { cannotMove, statusesAhead } from './transition.ts';

export interface Move {
  readonly status: RideStatus;
  /** Only with `canceled`. Null: the driver. */
  readonly canceledBy: Canceler | null;
}

/** The statuses of a completed ride, in order, and the step to each. */
const WAY: Readonly<Partial<Record<RideStatus, (ride: Ride, at: number, context: StepContext) => Ride>>> = {
  accepted: (ride, at, context) => match(ride, at, context) ?? noDriver(context),
  arrived: arrive,
  pickedUp: pickUp,
  droppedOff: dropOff,
};

/**
 * Moves a ride manually. Returns the ride after each change: once for each status on the way, ending with the requested
 * one. A passenger who cancels owes the fee of that moment. Throws Refusal `bad_parameter` for a move that the ride
 * cannot make, or when there is no driver.
 * @param at time of the first change; each further change is a millisecond later
 */
export function move(ride: Ride, { status, canceledBy }: Move, at: number, context: StepContext): Ride[] {
  if (canceledBy !== null && status !== 'canceled') {
    throw new Refusal('bad_parameter', `The parameter canceled_by requires the status canceled, not ${status}.`, {
      canceled_by: 'is allowed only with the status canceled',
    });
  }
  const ahead = statusesAhead(ride.status);
  if (!ahead.includes(status)) throw cannotMove(ride, status, ahead);
  if (status === 'canceled') {
    const fee = canceledBy === 'passenger' ? cancelFee(ride, context.area, at) : 0;
    return [cancel(ride, canceledBy ?? 'driver', at, { ...context, fee })];
  }
  if (status === 'unknown') return [closeAsUnknown(ride, at)];
  const way = Object.entries(WAY);
  const placeOf = (wanted: RideStatus) => way.findIndex(([passed]) => passed === wanted) + 1;
  const rides: Ride[] = [];
  for (const [, take] of way.slice(placeOf(ride.status), placeOf(status))) {
    rides.push(take(rides.at(-1) ?? ride, at, context));
  }
  return rides;
}

function noDriver({ area }: StepContext): never {
  throw new Refusal('bad_parameter', `Every driver in ${area.name} has a ride.`, {
    status: 'must be one of: canceled, unknown',
  });
}
