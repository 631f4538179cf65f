import type { Ride } from '../rides/ride.ts';
import { drivenSoFar } from '../routes/leg.ts';
import { drivingSeconds, lengthMiles } from '../routes/route.ts';
import type { ServiceArea } from '../service-area.ts';
import { SECOND_MS } from '../time.ts';
import { fareOf, pricesOf, sumOf } from './fare.ts';

/**
 * The cancel fee at a given time, in minor units, before regional charges. Canceling is free while the ride is pending
 * and during the grace period after acceptance. After that, it costs the penalty. With the passenger on board, it costs
 * the fare so far, if that is more.
 */
export function cancelFee(ride: Ride, area: ServiceArea, at: number): number {
  if (ride.status === 'pickedUp')
    return Math.max(pricesOf(area, ride.rideType).cancelPenalty, fareSoFar(ride, area, at));
  if (ride.acceptedAt === null || (ride.status !== 'accepted' && ride.status !== 'arrived')) return 0;
  const isGraceOver = at >= ride.acceptedAt + area.cancelGraceSeconds * SECOND_MS;
  return isGraceOver ? pricesOf(area, ride.rideType).cancelPenalty : 0;
}

/**
 * The fee to confirm before canceling, in minor units; 0: canceling is free.
 * @param isConfirmationForced always requires a confirmation, of the penalty if nothing is owed
 */
export function feeToAgreeTo(ride: Ride, area: ServiceArea, at: number, isConfirmationForced: boolean): number {
  const fee = cancelFee(ride, area, at);
  return fee === 0 && isConfirmationForced ? pricesOf(area, ride.rideType).cancelPenalty : fee;
}

/** Never more than the fare fixed at the request. */
function fareSoFar(ride: Ride, area: ServiceArea, at: number): number {
  if (ride.plan === null) return 0;
  const driven = drivenSoFar(ride.plan.trip, at);
  const prices = pricesOf(area, ride.rideType);
  const seconds = Math.round(drivingSeconds(driven));
  const fare = sumOf(fareOf(prices, lengthMiles(driven), seconds, ride.primeTimePercent));
  return Math.min(fare, ride.fixedFare ?? fare);
}
