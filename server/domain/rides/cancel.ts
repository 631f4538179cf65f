import {
  CANCEL_TOKEN_TTL_SECONDS,
  type CancelClaims,
  cancelClaimsFor,
  checkCancelClaims,
} from '../pricing/cancel-token.ts';
import { type Billing, receiptOf } from '../pricing/receipt.ts';
import { Refusal } from '../refusal.ts';
import { type Canceler, isActive, type Ride, type RideStatus } from './ride.ts';
import { eventInstant } from './transition.ts';

const ACTORS = ['passenger', 'driver', 'dispatcher'] as const;

/** Who can cancel a ride in this status: the API's `can_cancel`. */
export function canCancel(status: RideStatus): readonly (typeof ACTORS)[number][] {
  return isActive(status) ? ACTORS : [];
}

/** Throws Refusal `ride_is_finished` when the ride is no longer active. */
export function assertActive(ride: Ride): void {
  if (!isActive(ride.status)) throw new Refusal('ride_is_finished', 'This ride is over.');
}

/**
 * The cancel fee that the passenger agreed to, in minor units; 0 while canceling is free. Throws Refusal
 * `ride_is_finished`, `cancel_confirmation_required` or `invalid_cancel_confirmation`.
 */
export function agreedCancelFee(
  ride: Ride,
  cancellation: {
    readonly applicationId: string;
    /** The current fee, from `feeToAgreeTo`. */
    readonly fee: number;
    readonly currency: string;
    /** The claims of the request's token. Null: no token. 'unreadable': this server did not issue it. */
    readonly confirmation: CancelClaims | 'unreadable' | null;
    readonly sealOffer: (offer: CancelClaims) => string;
    readonly at: number;
  },
): number {
  assertActive(ride);
  const { applicationId, fee, currency, confirmation, sealOffer, at } = cancellation;
  if (fee === 0) return 0;
  if (confirmation === null) {
    const token = sealOffer(cancelClaimsFor(ride, applicationId, fee, at));
    const extra = { amount: fee, currency, token, token_duration: CANCEL_TOKEN_TTL_SECONDS };
    const sentence = 'Canceling now costs a fee. If the passenger agrees, repeat the request with the token.';
    throw new Refusal('cancel_confirmation_required', sentence, {}, extra);
  }
  checkCancelClaims(confirmation, ride, applicationId, fee, at);
  return confirmation.amount;
}

/**
 * Cancels a ride. A fee is charged immediately, so the receipt is ready a millisecond later. Throws Refusal
 * `ride_is_finished`, or `bad_parameter` if the reason is a lack of drivers but a driver has accepted the ride.
 * @param billing.fee minor units, before regional charges
 */
export function cancel(ride: Ride, by: Canceler, at: number, billing: Billing & { readonly fee: number }): Ride {
  assertActive(ride);
  if (by === 'no_drivers_available' && ride.status !== 'pending') {
    throw new Refusal('bad_parameter', `A ride that is ${ride.status} already has a driver.`, {
      canceled_by: 'must be one of: passenger, driver',
    });
  }
  const canceledAt = eventInstant(ride, at);
  const { fee } = billing;
  const end = { status: 'canceled', canceledAt, canceledBy: by, cancelFee: fee, lastEventAt: canceledAt } as const;
  const canceled = { ...ride, ...end };
  if (fee === 0) return canceled;
  const processedAt = canceledAt + 1;
  return { ...canceled, payment: receiptOf(canceled, billing, null, processedAt), lastEventAt: processedAt };
}
