import type { Ride, RideStatus } from './ride.ts';

export type RideEventType = 'ride.status.updated' | 'ride.receipt.ready';

export interface RideEvent {
  readonly type: RideEventType;
  /** World time; strictly increasing within a ride. */
  readonly at: number;
}

const TOLD: readonly RideStatus[] = ['accepted', 'arrived', 'pickedUp', 'droppedOff', 'canceled'];

/** The events of a change to a ride, oldest first. */
export function eventsBetween(before: Ride, after: Ride): RideEvent[] {
  const events: RideEvent[] = [];
  if (before.status !== after.status && TOLD.includes(after.status)) {
    events.push({ type: 'ride.status.updated', at: after.canceledAt ?? after.lastEventAt });
  }
  if (before.payment === null && after.payment !== null) {
    events.push({ type: 'ride.receipt.ready', at: after.payment.processedAt });
  }
  return events;
}
