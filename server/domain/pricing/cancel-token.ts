import { Refusal } from '../refusal.ts';
import type { Ride } from '../rides/ride.ts';
import { MINUTE_MS, SECOND_MS } from '../time.ts';

/** How long a cancel token holds its fee. */
export const CANCEL_TOKEN_TTL_MS = MINUTE_MS;

/** The `token_duration` of the response that offers a token. */
export const CANCEL_TOKEN_TTL_SECONDS = CANCEL_TOKEN_TTL_MS / SECOND_MS;

/** The content of a verified cancel token. */
export interface CancelClaims {
  readonly worldId: string;
  readonly applicationId: string;
  /** The ride also fixes the passenger and the currency. */
  readonly rideId: string;
  /** The fee agreed to, minor units, before regional charges. */
  readonly amount: number;
  /** Whether the passenger was on board when the fee was offered. */
  readonly isOnBoard: boolean;
  /** Instant of the world's clock. */
  readonly expiresAt: number;
}

/**
 * The claims of a token for a ride's fee at an instant.
 * @param amount what is owed at that instant, minor units
 */
export function cancelClaimsFor(ride: Ride, applicationId: string, amount: number, at: number): CancelClaims {
  const { worldId, id: rideId, status } = ride;
  const isOnBoard = status === 'pickedUp';
  return { worldId, applicationId, rideId, amount, isOnBoard, expiresAt: at + CANCEL_TOKEN_TTL_MS };
}

/**
 * Throws Refusal `invalid_cancel_confirmation` unless the claims match this ride and its fee, and have not expired. The
 * fare so far grows every second, so a fee agreed to on board holds until the token expires.
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
  if (claims.worldId !== ride.worldId || claims.rideId !== ride.id) {
    throw invalid('This confirmation is for another ride.');
  }
  if (claims.applicationId !== applicationId) throw invalid('This confirmation was given to another application.');
  if (claims.amount !== fee && !claims.isOnBoard) throw invalid('The fee has changed since it was confirmed.');
}

function invalid(reason: string): Refusal {
  return new Refusal('invalid_cancel_confirmation', `${reason} Cancel again to see the fee, and confirm that.`);
}
