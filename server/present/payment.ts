import type { Charge, LineItem, Price, Receipt } from '../../generated/types.ts';
import type { Payment, Ride } from '../domain/rides/ride.ts';
import { presentInstant } from './instant.ts';

export function presentPayment(payment: Payment): { price: Price; line_items: LineItem[]; charges: Charge[] } {
  const { price, lineItems, charges } = payment;
  return {
    price: { amount: price.amount, currency: price.currency, description: price.description },
    line_items: lineItems.map(({ amount, currency, type }) => ({ amount, currency, type })),
    charges: charges.map(({ amount, currency, paymentMethod }) => ({
      amount,
      currency,
      payment_method: paymentMethod,
    })),
  };
}

export function presentReceipt(ride: Ride, payment: Payment): Receipt {
  return {
    ride_id: ride.id,
    ...presentPayment(payment),
    requested_at: presentInstant(ride.requestedAt),
    ride_profile: ride.profile,
  };
}
