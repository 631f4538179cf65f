import { Refusal } from '../refusal.ts';
import { NEXT, type Ride, type RideStatus } from './ride.ts';

/** The instant of a ride's next event: never before nor at the one before it. */
export function eventInstant(ride: Ride, at: number): number {
  return Math.max(at, ride.lastEventAt + 1);
}

export function canMove(from: RideStatus, to: RideStatus): boolean {
  return (NEXT[from] as readonly RideStatus[]).includes(to);
}

/** Throws Refusal `bad_parameter` when a ride cannot go to a status from where it is. */
export function assertCanMove(ride: Ride, to: RideStatus): void {
  if (canMove(ride.status, to)) return;
  throw new Refusal('bad_parameter', `A ride that is ${ride.status} cannot become ${to}.`, {
    status: `must be one of: ${NEXT[ride.status].join(', ') || 'none, the ride is finished'}`,
  });
}
