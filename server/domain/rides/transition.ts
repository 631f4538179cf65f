import { Refusal } from '../refusal.ts';
import { NEXT, type Ride, type RideStatus } from './ride.ts';

/** The time of a ride's next event: always after the latest one. */
export function eventInstant(ride: Ride, at: number): number {
  return Math.max(at, ride.lastEventAt + 1);
}

/** Every status that a ride can still reach, in the order of `NEXT`. */
export function statusesAhead(from: RideStatus): RideStatus[] {
  const ahead = new Set<RideStatus>(NEXT[from]);
  // the loop also visits the statuses that it adds
  for (const status of ahead) for (const next of NEXT[status]) ahead.add(next);
  return (Object.keys(NEXT) as RideStatus[]).filter((status) => ahead.has(status));
}

/** Throws Refusal `bad_parameter` when the ride cannot move to this status. */
export function assertCanMove(ride: Ride, to: RideStatus): void {
  const next: readonly RideStatus[] = NEXT[ride.status];
  if (!next.includes(to)) throw cannotMove(ride, to, next);
}

/** A Refusal `bad_parameter` that lists the possible statuses. */
export function cannotMove({ status }: Ride, to: RideStatus, possible: readonly RideStatus[]): Refusal {
  const reason = to === status ? `The ride is already ${to}.` : `A ride that is ${status} cannot become ${to}.`;
  return new Refusal('bad_parameter', reason, {
    status: possible.length === 0 ? 'cannot change because the ride is over' : `must be one of: ${possible.join(', ')}`,
  });
}
