import type { Passenger } from '../passenger.ts';
import { Refusal } from '../refusal.ts';

/** The account properties that can prevent a passenger from requesting a ride. */
export type PassengerStanding = Pick<
  Passenger,
  'paymentMethod' | 'accountDisabled' | 'driverMode' | 'phoneNumber' | 'phoneVerified'
>;

/** Account problems. Each has a page that explains how to fix it. */
export type AccountProblem = 'payment' | 'suspended' | 'driver-mode' | 'phone';

/**
 * Throws a Refusal: user_payment_required, account_disabled, user_in_driver_mode or verified_phone_required, in this
 * order.
 */
export function assertMayRide(passenger: PassengerStanding, pageAbout: (problem: AccountProblem) => string): void {
  const refusal = (code: string, description: string, problem: AccountProblem) =>
    new Refusal(code, description, {}, { error_uri: pageAbout(problem) });
  if (passenger.paymentMethod === null) {
    throw refusal('user_payment_required', 'The passenger has no valid payment method.', 'payment');
  }
  if (passenger.accountDisabled)
    throw refusal('account_disabled', "The passenger's account is suspended.", 'suspended');
  if (passenger.driverMode) {
    throw refusal('user_in_driver_mode', 'The passenger is signed in as a driver.', 'driver-mode');
  }
  if (passenger.phoneNumber === null || !passenger.phoneVerified) {
    throw refusal('verified_phone_required', "The passenger's phone number is missing or not verified.", 'phone');
  }
}
