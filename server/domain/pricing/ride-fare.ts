import type { LineItem, Ride } from '../rides/ride.ts';
import type { ServiceArea } from '../service-area.ts';
import { fareOf, pricesOf } from './fare.ts';

/** A line of a receipt in the currency of the area. */
export type ReceiptLine = Omit<LineItem, 'currency'>;

/** A ride's fare including Prime Time, in minor units: the fixed fare, or the fare of the driven path. */
export function fareOfRide(ride: Ride, area: ServiceArea): number {
  return sumOfLines(fareLines(ride, area));
}

/** The lines that add up to it. */
export function fareLines(ride: Ride, area: ServiceArea): ReceiptLine[] {
  if (ride.fixedFare !== null) return fixedFareLines(ride.fixedFare, ride.primeTimePercent);
  const prices = pricesOf(area, ride.rideType);
  const fare = fareOf(prices, ride.distanceMiles ?? 0, ride.durationSeconds ?? 0, ride.primeTimePercent);
  return [
    { type: 'Base fare', amount: fare.base },
    { type: 'Distance', amount: fare.distance },
    { type: 'Time', amount: fare.time },
    { type: 'Minimum fare', amount: fare.toMinimum },
    { type: 'Prime Time', amount: fare.primeTime },
  ];
}

/** Splits a fixed fare into the fare and its Prime Time surcharge. */
function fixedFareLines(fixedFare: number, primeTimePercent: number): ReceiptLine[] {
  const fare = Math.round((fixedFare * 100) / (100 + primeTimePercent));
  return [
    { type: 'Ride fare', amount: fare },
    { type: 'Prime Time', amount: fixedFare - fare },
  ];
}

export function sumOfLines(lines: readonly ReceiptLine[]): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}
