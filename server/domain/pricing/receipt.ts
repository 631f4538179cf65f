import type { LineItem, Money, Payment, Ride } from '../rides/ride.ts';
import type { ServiceArea } from '../service-area.ts';
import { pricesOf, regionalAmount } from './fare.ts';
import { fareLines, type ReceiptLine, sumOfLines } from './ride-fare.ts';

/**
 * The payment of a ride that ended with a drop-off or was canceled for a fee. The line items add up to the price, and
 * so do the charges. Omits items with amount 0.
 */
export function receiptOf(
  ride: Ride,
  area: ServiceArea,
  payment: { readonly method: string; readonly tip: Money | null; readonly at: number },
): Payment {
  const { currency } = area;
  const lines = ride.status === 'canceled' ? cancelLines(ride, area) : rideLines(ride, area);
  if (payment.tip !== null) lines.push({ type: 'Tip', amount: payment.tip.amount });
  const lineItems: LineItem[] = lines.filter(({ amount }) => amount !== 0).map((line) => ({ ...line, currency }));
  const amount = sumOfLines(lineItems);
  const description = ride.status === 'canceled' ? 'Cancellation fee' : 'Ride total';
  return {
    price: { amount, currency, description },
    lineItems,
    charges: amount === 0 ? [] : [{ amount, currency, paymentMethod: payment.method }],
    processedAt: payment.at,
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
