import type { PassengerStanding } from './rides/standing.ts';

/** A person who rides, as one world knows them. Keys are (worldId, id); an email address is unique in its world. */
export interface Passenger {
  readonly worldId: string;
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly passwordHash: string;
  readonly firstName: string;
  readonly lastName: string;
  /** A portrait: a URL, or the path of a picture of this server; null when there is none. */
  readonly imageUrl: string | null;
  /** '0.0' to '5.0'; null before the first one. */
  readonly rating: string | null;
  /** E.164. */
  readonly phoneNumber: string | null;
  readonly phoneVerified: boolean;
  /** Display name of the valid payment method; null when there is none. */
  readonly paymentMethod: string | null;
  readonly accountDisabled: boolean;
  readonly driverMode: boolean;
  /** Whether rides are requested from the business profile. */
  readonly businessProfile: boolean;
  readonly hasTakenARide: boolean;
  /** Milliseconds UTC, real time. */
  readonly createdAt: number;
}

/** What about an account may stand against a ride. */
export function standingOf(passenger: Passenger): PassengerStanding {
  return {
    hasPaymentMethod: passenger.paymentMethod !== null,
    disabled: passenger.accountDisabled,
    inDriverMode: passenger.driverMode,
    phoneVerified: passenger.phoneNumber !== null && passenger.phoneVerified,
  };
}

/** What a ride is charged to. A method that was removed since the request is still owed. */
export function paymentMethodOf(passenger: Passenger): string {
  return passenger.paymentMethod ?? 'Open balance';
}
