import type { DrivePlan } from '../routes/plan.ts';
import { arrivedAt, startedAt } from '../routes/plan-drive.ts';
import { drivingSeconds, lengthMiles } from '../routes/route.ts';
import type { Driver, Ride } from './ride.ts';
import { assertCanMove, eventInstant } from './transition.ts';

/** A driver accepts the ride. The plan starts at `eventInstant(ride, at)`. */
export function accept(ride: Ride, driver: Driver, plan: DrivePlan, at: number): Ride {
  assertCanMove(ride, 'accepted');
  const acceptedAt = eventInstant(ride, at);
  return { ...ride, status: 'accepted', driver, plan, acceptedAt, lastEventAt: acceptedAt };
}

/** The car reaches the pickup. If it is early or late, the rest of the plan shifts by the same amount. */
export function arrive(ride: Ride, at: number): Ride {
  assertCanMove(ride, 'arrived');
  const instant = eventInstant(ride, at);
  const plan = arrivedAt(planOf(ride), instant);
  return { ...ride, status: 'arrived', plan, arrivedAt: instant, lastEventAt: instant };
}

/** The passenger gets in. If that is early or late, the trip shifts by the same amount. */
export function pickUp(ride: Ride, at: number): Ride {
  assertCanMove(ride, 'pickedUp');
  const instant = eventInstant(ride, at);
  const plan = startedAt(planOf(ride), instant);
  return { ...ride, status: 'pickedUp', plan, pickedUpAt: instant, lastEventAt: instant };
}

/** Ends the trip. The whole path counts as driven, even when a call ends the trip early. */
export function dropOff(ride: Ride, at: number): Ride {
  assertCanMove(ride, 'droppedOff');
  const instant = eventInstant(ride, at);
  const { path } = planOf(ride).trip;
  return {
    ...ride,
    status: 'droppedOff',
    droppedOffAt: instant,
    lastEventAt: instant,
    distanceMiles: lengthMiles(path),
    durationSeconds: Math.round(drivingSeconds(path)),
  };
}

/** Closes a ride that has had no event for too long. */
export function closeAsUnknown(ride: Ride, at: number): Ride {
  assertCanMove(ride, 'unknown');
  return { ...ride, status: 'unknown', lastEventAt: eventInstant(ride, at) };
}

function planOf(ride: Ride): DrivePlan {
  if (ride.plan === null) throw new Error(`Ride ${ride.id} is ${ride.status} and has no plan`);
  return ride.plan;
}
