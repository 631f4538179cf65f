import { Refusal } from '../refusal.ts';

/** What about a passenger's account may stand against a ride. */
export interface PassengerStanding {
  readonly hasPaymentMethod: boolean;
  readonly disabled: boolean;
  readonly inDriverMode: boolean;
  readonly phoneVerified: boolean;
}

/** Throws a Refusal: user_payment_required, account_disabled, user_in_driver_mode or verified_phone_required, in this order. */
export function assertMayRide(passenger: PassengerStanding): void {
  if (!passenger.hasPaymentMethod) {
    throw new Refusal('user_payment_required', 'The passenger has no valid payment method. Add one in the app.');
  }
  if (passenger.disabled) throw new Refusal('account_disabled', "The passenger's account is suspended.");
  if (passenger.inDriverMode) throw new Refusal('user_in_driver_mode', 'The passenger is signed in as a driver.');
  if (!passenger.phoneVerified) {
    throw new Refusal('verified_phone_required', "The passenger's phone number is missing or not verified.");
  }
}
