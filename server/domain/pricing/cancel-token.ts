import { Refusal } from '../refusal.ts';
import type { Ride } from '../rides/ride.ts';
import { MINUTE_MS, SECOND_MS } from '../time.ts';

export const CANCEL_TOKEN_TTL_MS = MINUTE_MS;

/** The `token_duration` of the response with the token. */
export const CANCEL_TOKEN_TTL_SECONDS = CANCEL_TOKEN_TTL_MS / SECOND_MS;

export interface CancelClaims extends Pick<Ride, 'worldId' | 'applicationId'> {
  /** The ride also determines the passenger and the currency. */
  readonly rideId: string;
  /** The confirmed fee in minor units, before regional charges. */
  readonly amount: number;
  /** Whether the passenger was on board when the fee was offered. */
  readonly isOnBoard: boolean;
  /** World time. */
  readonly expiresAt: number;
}

/**
 * The claims of a token for a ride's fee at a given time.
 * @param amount the fee owed at that time, in minor units
 */
export function cancelClaimsFor(ride: Ride, applicationId: string, amount: number, at: number): CancelClaims {
  const { worldId, id: rideId, status } = ride;
  const isOnBoard = status === 'pickedUp';
  return { worldId, applicationId, rideId, amount, isOnBoard, expiresAt: at + CANCEL_TOKEN_TTL_MS };
}

/**
 * Throws Refusal `invalid_cancel_confirmation` unless the claims match this ride and its fee and have not expired. The
 * fare so far grows every second, so a fee confirmed on board stays valid until the token expires.
 * @param claims 'unreadable': this server did not issue the token
 */
export function checkCancelClaims(
  claims: CancelClaims | 'unreadable',
  ride: Ride,
  applicationId: string,
  fee: number,
  now: number,
): asserts claims is CancelClaims {
  if (claims === 'unreadable') throw invalid('This confirmation is not valid.');
  if (claims.expiresAt <= now) throw invalid('This confirmation has expired.');
  if (claims.worldId !== ride.worldId || claims.rideId !== ride.id) {
    throw invalid('This confirmation is for another ride.');
  }
  if (claims.applicationId !== applicationId) throw invalid('This confirmation belongs to another application.');
  if (claims.amount !== fee && !claims.isOnBoard) throw invalid('The fee has changed since it was confirmed.');
}

function invalid(reason: string): Refusal {
  return new Refusal('invalid_cancel_confirmation', `${reason} Cancel again without it to get the current fee.`);
}
