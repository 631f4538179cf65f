import { type Erased, fieldsThatAre, RIDE_DATA } from '../personal-data.ts';
import type { Money, Place, Ride } from './ride.ts';

/** The passenger of every ride whose passenger has left. Live ids are random, so no passenger has this one. */
export const NOBODY = 'deleted';

/** About a kilometer: a city's statistics stay correct, and a home cannot be identified. */
const DECIMALS_KEPT = 2;

/**
 * A finished ride without data that identifies its passenger: no passenger ID, address, route, feedback or card, and
 * start and end rounded to about a kilometer. Drops fields that a newer server added, because it cannot judge them.
 */
export function anonymize(ride: Ride): Ride {
  const { origin, destination, rating, payment } = ride;
  const erased: Pick<Ride, Erased<typeof RIDE_DATA>> = {
    passengerId: NOBODY,
    origin: coarse(origin),
    destination: destination && coarse(destination),
    plan: null,
    rating: rating && { stars: rating.stars, feedback: null, tip: rating.tip && amountOf(rating.tip), at: rating.at },
    payment: payment && {
      price: { ...amountOf(payment.price), description: payment.price.description },
      lineItems: payment.lineItems.map((item) => ({ ...amountOf(item), type: item.type })),
      charges: payment.charges.map((charge) => ({ ...amountOf(charge), paymentMethod: 'Deleted' })),
      processedAt: payment.processedAt,
    },
  };
  return { ...kept(ride), ...erased };
}

const KEPT = fieldsThatAre('kept', RIDE_DATA);

function kept(ride: Ride): Pick<Ride, (typeof KEPT)[number]> {
  return Object.fromEntries(KEPT.map((name) => [name, ride[name]])) as Pick<Ride, (typeof KEPT)[number]>;
}

function amountOf({ amount, currency }: Money): Money {
  return { amount, currency };
}

function coarse({ lat, lng }: Place): Place {
  return { lat: Number(lat.toFixed(DECIMALS_KEPT)), lng: Number(lng.toFixed(DECIMALS_KEPT)), address: null };
}
