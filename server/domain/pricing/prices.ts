import type { Prices, ServiceArea } from '../service-area.ts';

/** Throws an Error when the area does not offer the ride type. */
export function pricesOf(area: ServiceArea, rideType: string): Prices {
  const offered = area.rideTypes.find((candidate) => candidate.rideType === rideType);
  if (offered === undefined) throw new Error(`${area.id} has no prices for ${rideType}`);
  return offered.prices;
}
