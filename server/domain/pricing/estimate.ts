import { milesBetween, type Point } from '../geo.ts';
import { drivingSeconds, lengthMiles, route, type Streets } from '../routes/route.ts';
import type { ServiceArea } from '../service-area.ts';
import { fareOf, pricesOf, sumOf, totalOf } from './fare.ts';

/**
 * Distance of a ride, in a straight line.
 * @beyond 400 `bad_parameter`
 * @heldBy tests/api/requestRide-refusals.test.ts
 */
export const MAX_RIDE_MILES = 100;
const LOWEST_SHARE = 0.9;
const HIGHEST_SHARE = 1.15;

/**
 * A ride's price range in minor units: fare, Prime Time, trust and service fee and regional charges, without tip. A
 * ride driven as planned costs an amount in this range.
 */
export interface CostEstimate extends Trip {
  /** False: the ride is too long, and every number is 0. */
  readonly isValid: boolean;
  readonly minCents: number;
  readonly maxCents: number;
  /** The fare that a cost token for this ride fixes: with Prime Time, without other fees. */
  readonly fare: number;
}

const TOO_FAR: CostEstimate = { isValid: false, minCents: 0, maxCents: 0, miles: 0, seconds: 0, fare: 0 };

/** The length and driving time of a route, which are the same for every ride type. */
export interface Trip {
  readonly miles: number;
  readonly seconds: number;
}

export function tripBetween(from: Point, to: Point, streets: Streets): Trip | null {
  if (milesBetween(from, to) > MAX_RIDE_MILES) return null;
  const path = route(from, to, streets);
  return { miles: lengthMiles(path), seconds: Math.round(drivingSeconds(path)) };
}

/** @param trip null: too long */
export function priceTrip(
  trip: Trip | null,
  ride: { readonly area: ServiceArea; readonly rideType: string; readonly primeTimePercent: number },
): CostEstimate {
  if (trip === null) return TOO_FAR;
  const { area, primeTimePercent } = ride;
  const prices = pricesOf(area, ride.rideType);
  const fare = sumOf(fareOf(prices, trip.miles, trip.seconds, primeTimePercent));
  const total = totalOf(fare, prices, area.regionalCharges);
  const least = totalOf(sumOf(fareOf(prices, 0, 0, primeTimePercent)), prices, area.regionalCharges);
  return {
    isValid: true,
    minCents: Math.max(least, Math.floor(total * LOWEST_SHARE)),
    maxCents: Math.ceil(total * HIGHEST_SHARE),
    ...trip,
    fare,
  };
}
