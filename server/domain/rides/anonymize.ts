import type { Place, Ride } from './ride.ts';

/** The passenger of every ride whose passenger has left. Ids are random, so no passenger has this one. */
export const NOBODY = 'deleted';

/** Some kilometer: a city's figures stay right, and a home cannot be found. */
const DECIMALS_KEPT = 2;

/**
 * A finished ride without what says whose it was: no passenger, address, route, feedback or card, and its ends to some
 * kilometer. Fare, times, distance, stars and driver stay, as the accounts of a service need them.
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
