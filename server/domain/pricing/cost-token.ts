import { metersBetween, type Point } from '../geo.ts';
import { Refusal } from '../refusal.ts';
import type { Ride } from '../rides/ride.ts';
import { MINUTE_MS } from '../time.ts';

export const COST_TOKEN_TTL_MS = MINUTE_MS;
/**
 * Meters between the pickup of a price and that of the ride.
 * @beyond 400 `invalid_primetime_confirmation`
 * @heldBy tests/api/requestRide-price.test.ts
 */
const MAX_METERS_OFF = 250;
/** Those that a price is for. */
const PARTIES = ['worldId', 'applicationId', 'passengerId'] as const;

export interface CostBinding extends Pick<Ride, (typeof PARTIES)[number] | 'rideType'> {
  readonly origin: Point;
  readonly destination: Point | null;
}

export interface CostClaims extends CostBinding {
  /** Limits the token to one use. */
  readonly id: string;
  /** The fixed fare in minor units, with Prime Time, without other fees; null: only Prime Time is fixed. */
  readonly fare: number | null;
  readonly primeTimePercent: number;
  /** World time. */
  readonly expiresAt: number;
}

/** Throws Refusal `invalid_primetime_confirmation` unless the claims match this request and have not expired. */
export function checkCostClaims(claims: CostClaims, request: CostBinding, now: number): void {
  if (claims.expiresAt <= now) throw invalid('This price has expired. Request a new one.');
  const isTheirs = PARTIES.every((party) => claims[party] === request[party]);
  if (!isTheirs) throw invalid('This price belongs to another passenger or application.');
  if (claims.rideType !== request.rideType) throw invalid('This price is for another ride type.');
  if (!isNear(claims.origin, request.origin)) throw invalid('This price is for another pickup.');
  if (!endsAsOffered(claims, request)) throw invalid('This price is for another drop-off.');
}

/** The refusal of a token that this server did not issue, or that was used before. */
export function invalidCostToken(): Refusal {
  return invalid('This price confirmation is not valid. Request a new price.');
}

/** Without a destination, an offer fixes only Prime Time, so it is valid for any destination. */
function endsAsOffered({ destination: offered }: CostClaims, { destination }: CostBinding): boolean {
  return offered === null || (destination !== null && isNear(offered, destination));
}

function isNear(a: Point, b: Point): boolean {
  return metersBetween(a, b) <= MAX_METERS_OFF;
}

function invalid(description: string): Refusal {
  return new Refusal('invalid_primetime_confirmation', description);
}
