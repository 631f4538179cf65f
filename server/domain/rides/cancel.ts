import {
  CANCEL_TOKEN_TTL_SECONDS,
  type CancelClaims,
  cancelClaimsFor,
  checkCancelClaims,
} from '../pricing/cancel-token.ts';
import { receiptOf } from '../pricing/receipt.ts';
import { Refusal } from '../refusal.ts';
import type { ServiceArea } from '../service-area.ts';
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
    throw new Refusal(
      'cancel_confirmation_required',
      'Canceling now costs a fee. If the passenger agrees, repeat the request with the token.',
      {},
      extra,
    );
  }
  if (confirmation === 'unreadable') {
    throw new Refusal(
      'invalid_cancel_confirmation',
      'This confirmation is not valid. Cancel again without it to get the current fee.',
    );
  }
  checkCancelClaims(confirmation, ride, applicationId, fee, at);
  return confirmation.amount;
}

/**
 * Cancels a ride. A fee is charged immediately, so the receipt is ready a millisecond later. Throws Refusal
 * `ride_is_finished`, or `bad_parameter` if the reason is a lack of drivers but a driver has accepted the ride.
 * @param payment.fee minor units, before regional charges
 */
export function cancel(
  ride: Ride,
  by: Canceler,
  at: number,
  payment: { readonly fee: number; readonly area: ServiceArea; readonly method: string },
): Ride {
  assertActive(ride);
  if (by === 'no_drivers_available' && ride.status !== 'pending') {
    throw new Refusal('bad_parameter', `A ride that is ${ride.status} already has a driver.`, {
      canceled_by: 'must be one of: passenger, driver',
    });
  }
  const canceledAt = eventInstant(ride, at);
  const canceled: Ride = {
    ...ride,
    status: 'canceled',
    canceledAt,
    canceledBy: by,
    cancelFee: payment.fee,
    lastEventAt: canceledAt,
  };
  if (payment.fee === 0) return canceled;
  const processedAt = canceledAt + 1;
  const receipt = receiptOf(canceled, payment.area, { method: payment.method, tip: null, at: processedAt });
  return { ...canceled, payment: receipt, lastEventAt: processedAt };
}
