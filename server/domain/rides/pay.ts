import { receiptOf } from '../pricing/receipt.ts';
import type { ServiceArea } from '../service-area.ts';
import type { Ride } from './ride.ts';
import { eventInstant } from './transition.ts';

/**
 * Charges the ride, including the tip of its rating. Returns the ride unchanged if it is not dropped off or is already
 * paid.
 */
export function processPayment(
  ride: Ride,
  at: number,
  payment: { readonly area: ServiceArea; readonly method: string },
): Ride {
  if (ride.status !== 'droppedOff' || ride.payment !== null) return ride;
  const processedAt = eventInstant(ride, at);
  const receipt = receiptOf(ride, payment.area, {
    method: payment.method,
    tip: ride.rating?.tip ?? null,
    at: processedAt,
  });
  return { ...ride, payment: receipt, paymentDueAt: null, lastEventAt: processedAt };
}
