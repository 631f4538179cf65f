import type { LineItem, Money, Payment, Ride } from '../rides/ride.ts';
import type { ServiceArea } from '../service-area.ts';
import { fareOf, pricesOf, regionalAmount } from './fare.ts';

/** Whom a ride is charged to. */
export interface Billing {
  readonly area: ServiceArea;
  /** Display name of the passenger's payment method. */
  readonly method: string;
}

/**
 * The payment of a ride that ended with a drop-off or was canceled for a fee. The line items add up to the price, and
 * so do the charges. Omits items with amount 0.
 */
export function receiptOf(ride: Ride, { area, method }: Billing, tip: Money | null, processedAt: number): Payment {
  const { currency } = area;
  const lines = ride.status === 'canceled' ? cancelLines(ride, area) : rideLines(ride, area);
  if (tip !== null) lines.push({ type: 'Tip', amount: tip.amount });
  const lineItems: LineItem[] = lines.filter(({ amount }) => amount !== 0).map((line) => ({ ...line, currency }));
  const amount = sumOfLines(lineItems);
  const description = ride.status === 'canceled' ? 'Cancellation fee' : 'Ride total';
  return {
    price: { amount, currency, description },
    lineItems,
    charges: amount === 0 ? [] : [{ amount, currency, paymentMethod: method }],
    processedAt,
  };
}

function rideLines(ride: Ride, area: ServiceArea): ReceiptLine[] {
  const lines = fareLines(ride, area);
  const { trustAndService } = pricesOf(area, ride.rideType);
  return [...lines, { type: 'Trust & Service', amount: trustAndService }, ...regionalLines(area, sumOfLines(lines))];
}

function cancelLines(ride: Ride, area: ServiceArea): ReceiptLine[] {
  const fee = ride.cancelFee ?? 0;
  return [{ type: 'Cancellation fee', amount: fee }, ...regionalLines(area, fee)];
}

function regionalLines(area: ServiceArea, subtotal: number): ReceiptLine[] {
  return area.regionalCharges.map((charge) => ({ type: charge.name, amount: regionalAmount(charge, subtotal) }));
}

/** A line of a receipt in the currency of the area. */
type ReceiptLine = Omit<LineItem, 'currency'>;

/** A ride's fare including Prime Time, in minor units: the fixed fare, or the fare of the driven path. */
export function fareOfRide(ride: Ride, area: ServiceArea): number {
  return sumOfLines(fareLines(ride, area));
}

/** The lines that add up to it. */
function fareLines(ride: Ride, area: ServiceArea): ReceiptLine[] {
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

function sumOfLines(lines: readonly ReceiptLine[]): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}
