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
  /** Stands for the passenger and the currency too: a ride keeps both. */
  readonly rideId: string;
  /** The fee agreed to, minor units, before regional charges. */
  readonly amount: number;
  /** Whether it was agreed to with the passenger on board. */
  readonly isOnBoard: boolean;
  /** Instant of the world's clock. */
  readonly expiresAt: number;
}

/**
 * What a token for a ride's fee at an instant says.
 * @param amount what is owed at that instant, minor units
 */
export function cancelClaimsFor(ride: Ride, applicationId: string, amount: number, at: number): CancelClaims {
  const { worldId, id: rideId, status } = ride;
  const isOnBoard = status === 'pickedUp';
  return { worldId, applicationId, rideId, amount, isOnBoard, expiresAt: at + CANCEL_TOKEN_TTL_MS };
}

/**
 * Throws Refusal `invalid_cancel_confirmation` unless the claims are for this ride and its fee, and still hold. A fare so
 * far grows by the second: what was agreed to on board stands for the token's minute.
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
