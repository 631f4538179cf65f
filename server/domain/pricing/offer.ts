import type { ServiceArea } from '../service-area.ts';
import { COST_TOKEN_TTL_MS, type CostBinding, type CostClaims } from './cost-token.ts';
import { estimateCost } from './estimate.ts';

/**
 * The claims of a cost token for a ride. They hold the fare of its path, Prime Time included, for a minute.
 * @param offer.id unique: makes the token valid for one use
 * @param offer.at instant of the world's clock
 */
export function offerCost(
  ride: CostBinding,
  offer: { readonly id: string; readonly area: ServiceArea; readonly primeTimePercent: number; readonly at: number },
): CostClaims {
  const { worldId, applicationId, passengerId, rideType, origin, destination } = ride;
  const { id, area, primeTimePercent, at } = offer;
  const estimate =
    destination === null ? null : estimateCost({ area, rideType, from: origin, to: destination, primeTimePercent });
  return {
    id,
    worldId,
    applicationId,
    passengerId,
    rideType,
    origin: { lat: origin.lat, lng: origin.lng },
    destination: destination && { lat: destination.lat, lng: destination.lng },
    fare: estimate?.isValid ? estimate.fare : null,
    primeTimePercent,
    expiresAt: at + COST_TOKEN_TTL_MS,
  };
}
