import { Refusal } from '../refusal.ts';
import type { Ride } from '../rides/ride.ts';
import { MINUTE_MS, SECOND_MS } from '../time.ts';

/** How long a cancel token holds its fee. */
export const CANCEL_TOKEN_TTL_MS = MINUTE_MS;

/** `token_duration` of the answer that offers one. */
export const CANCEL_TOKEN_TTL_SECONDS = CANCEL_TOKEN_TTL_MS / SECOND_MS;

/** What a cancel token says, once its signature is known to be good. */
export interface CancelClaims {
  readonly worldId: string;
  readonly applicationId: string;
  readonly passengerId: string;
  readonly rideId: string;
  /** The fee agreed to, minor units, before regional charges. */
  readonly amount: number;
  readonly currency: string;
  /** Instant of the world's clock. */
  readonly expiresAt: number;
}

/** What a token for a ride's fee at an instant says. */
export function cancelClaimsFor(
  ride: Ride,
  applicationId: string,
  fee: { readonly amount: number; readonly currency: string },
  at: number,
): CancelClaims {
  const { worldId, id: rideId, passengerId } = ride;
  return { worldId, applicationId, passengerId, rideId, ...fee, expiresAt: at + CANCEL_TOKEN_TTL_MS };
}

/**
 * Throws Refusal `invalid_cancel_confirmation` unless the claims are for this ride and its fee, and still hold. A fare so
 * far grows by the second: with the passenger on board the amount agreed to stands for the token's minute, if it was
 * agreed to on board.
 * @param fee what is owed now, minor units
 */
export function checkCancelClaims(
  claims: CancelClaims,
  ride: Ride,
  applicationId: string,
  fee: number,
  now: number,
): void {
  if (claims.expiresAt <= now) throw invalid('This confirmation has expired.');
  if (claims.applicationId !== applicationId || !isFor(claims, ride))
    throw invalid('This confirmation is for another ride.');
  const isAgreedTo =
    ride.pickedUpAt === null ? claims.amount === fee : claims.expiresAt - CANCEL_TOKEN_TTL_MS >= ride.pickedUpAt;
  if (!isAgreedTo) throw invalid('The fee has changed since it was confirmed.');
}

function isFor(claims: CancelClaims, ride: Ride): boolean {
  return claims.worldId === ride.worldId && claims.rideId === ride.id && claims.passengerId === ride.passengerId;
}

function invalid(reason: string): Refusal {
  return new Refusal('invalid_cancel_confirmation', `${reason} Cancel again to see the fee, and confirm that.`);
}
