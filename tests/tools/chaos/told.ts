import type { Ride } from '../../../generated/types.ts';
import type { Ride as StoredRide } from '../../../server/domain/rides/ride.ts';

/** The events of a ride in their order: statuses, then the receipt. */
export const TOLD = ['accepted', 'arrived', 'pickedUp', 'droppedOff', 'canceled', 'receipt'] as const;
export type Told = (typeof TOLD)[number];

/** The events that must have occurred for a ride with these fields. */
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

/** The instant of each event of a ride, in milliseconds UTC. */
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
