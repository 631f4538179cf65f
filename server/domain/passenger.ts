/** A passenger of one world, keyed by (worldId, id). Email addresses are unique within a world. */
export interface Passenger {
  readonly worldId: string;
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly passwordHash: string;
  readonly firstName: string;
  readonly lastName: string;
  /** The URL of a portrait, or its path on this server; null: none. */
  readonly imageUrl: string | null;
  /** '0.0' to '5.0'; null before the first rating. */
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
  /** Real time, in milliseconds UTC. */
  readonly createdAt: number;
}

/** The flags of a new passenger that do not depend on the sign-up. */
export const NEW_FLAGS = { accountDisabled: false, driverMode: false, businessProfile: false, hasTakenARide: false };

/** The payment method that a ride is charged to. If the passenger has removed it, the ride becomes an open balance. */
export function paymentMethodOf(passenger: Passenger): string {
  return passenger.paymentMethod ?? 'Open balance';
}
