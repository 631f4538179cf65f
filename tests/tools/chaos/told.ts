import type { Ride } from '../../../generated/types.ts';
import type { Ride as StoredRide } from '../../../server/domain/rides/ride.ts';

/** What events tell of a ride, in the order of its life: statuses, and that its receipt is ready. */
export const TOLD = ['accepted', 'arrived', 'pickedUp', 'droppedOff', 'canceled', 'receipt'] as const;
export type Told = (typeof TOLD)[number];

/** All that must have happened for a ride to be shown like this. */
export function toldBy(ride: Ride): Told[] {
  const status = TOLD.find((told) => told === ride.status);
  const has: Partial<Record<Told, boolean>> = {
    accepted: 'driver' in ride,
    arrived: 'pickup' in ride,
    pickedUp: 'pickup' in ride,
    receipt: 'charges' in ride,
  };
  return TOLD.filter((told) => told === status || has[told]);
}

/** When everything happened to a ride that is to be told; milliseconds UTC. */
export function toldOf(ride: StoredRide): ReadonlyArray<readonly [Told, number]> {
  const instants: Record<Told, number | null> = {
    accepted: ride.acceptedAt,
    arrived: ride.arrivedAt,
    pickedUp: ride.pickedUpAt,
    droppedOff: ride.droppedOffAt,
    canceled: ride.canceledAt,
    receipt: ride.payment?.processedAt ?? null,
  };
  return TOLD.flatMap((told) => (instants[told] === null ? [] : [[told, instants[told]] as const]));
}
