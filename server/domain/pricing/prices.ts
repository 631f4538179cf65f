import type { Prices, ServiceArea } from '../service-area.ts';

/** The prices of a ride type that the area offers. */
export function pricesOf(area: ServiceArea, rideType: string): Prices {
  const offered = area.rideTypes.find((candidate) => candidate.rideType === rideType);
  if (offered === undefined) throw new Error(`${area.id} has no prices for ${rideType}`);
  return offered.prices;
}
