import { type Billing, receiptOf } from '../pricing/receipt.ts';
import type { Ride } from './ride.ts';
import { eventInstant } from './transition.ts';

/**
 * Charges the ride, including the tip of its rating. Returns the ride unchanged if it is not dropped off or is already
 * paid.
 */
export function processPayment(ride: Ride, at: number, billing: Billing): Ride {
  if (ride.status !== 'droppedOff' || ride.payment !== null) return ride;
  const processedAt = eventInstant(ride, at);
  const payment = receiptOf(ride, billing, ride.rating?.tip ?? null, processedAt);
  return { ...ride, payment, paymentDueAt: null, lastEventAt: processedAt };
}
