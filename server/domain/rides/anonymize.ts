import type { Place, Ride } from './ride.ts';

/** The passenger of every ride whose passenger has left. Live ids are random, so no passenger has this one. */
export const NOBODY = 'deleted';

/** About a kilometer: a city's statistics stay correct, and a home cannot be identified. */
const DECIMALS_KEPT = 2;

/**
 * A finished ride without data that identifies its passenger: no passenger ID, address, route, feedback or card, and
 * start and end rounded to about a kilometer. Fare, times, distance, stars and driver stay, because the service's
 * accounts need them.
 */
export function anonymize(ride: Ride): Ride {
  return {
    ...ride,
    passengerId: NOBODY,
    origin: coarse(ride.origin),
    destination: ride.destination && coarse(ride.destination),
    plan: null,
    rating: ride.rating && { ...ride.rating, feedback: null },
    payment: ride.payment && {
      ...ride.payment,
      charges: ride.payment.charges.map((charge) => ({ ...charge, paymentMethod: 'Deleted' })),
    },
  };
}

function coarse({ lat, lng }: Place): Place {
  return { lat: Number(lat.toFixed(DECIMALS_KEPT)), lng: Number(lng.toFixed(DECIMALS_KEPT)), address: null };
}
