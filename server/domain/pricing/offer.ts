import type { ServiceArea } from '../service-area.ts';
import { COST_TOKEN_TTL_MS, type CostBinding, type CostClaims } from './cost-token.ts';
import { type CostEstimate, priceTrip, tripBetween } from './estimate.ts';

interface Offer extends Pick<CostClaims, 'id' | 'primeTimePercent'> {
  /** World time. */
  readonly at: number;
}

/** The claims of a cost token for a ride. They fix the fare of its path, including Prime Time, for a minute. */
export function offerCost(ride: CostBinding, offer: Offer & { readonly area: ServiceArea }): CostClaims {
  const { rideType, origin, destination } = ride;
  const { area, primeTimePercent } = offer;
  const trip = destination && tripBetween(origin, destination, area);
  const estimate = destination && priceTrip(trip, { area, rideType, primeTimePercent });
  return offerEstimate(ride, offer, estimate);
}

/** @param estimate null: the destination is unknown, so the token fixes only Prime Time */
export function offerEstimate(ride: CostBinding, offer: Offer, estimate: CostEstimate | null): CostClaims {
  const { worldId, applicationId, passengerId, rideType, origin, destination } = ride;
  return {
    id: offer.id,
    worldId,
    applicationId,
    passengerId,
    rideType,
    origin: { lat: origin.lat, lng: origin.lng },
    destination: destination && { lat: destination.lat, lng: destination.lng },
    fare: estimate?.isValid ? estimate.fare : null,
    primeTimePercent: offer.primeTimePercent,
    expiresAt: offer.at + COST_TOKEN_TTL_MS,
  };
}
