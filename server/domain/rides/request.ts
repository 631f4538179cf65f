import { areaAt, offeredAt, prohibitedDropOffAt } from '../areas.ts';
import { metersBetween, milesBetween } from '../geo.ts';
import {
  COST_TOKEN_TTL_MS,
  type CostBinding,
  type CostClaims,
  checkCostClaims,
  invalidCostToken,
} from '../pricing/cost-token.ts';
import { MAX_RIDE_MILES } from '../pricing/estimate.ts';
import { offerCost } from '../pricing/offer.ts';
import { primeTimeMultiplier, primeTimePercentage } from '../pricing/prime-time.ts';
import { Refusal } from '../refusal.ts';
import type { Geography, ServiceArea } from '../service-area.ts';
import { SECOND_MS } from '../time.ts';
import { isActive, NOTHING_YET, type Place, type Ride } from './ride.ts';
import { type AccountProblem, assertMayRide, type PassengerStanding } from './standing.ts';
import { eventInstant } from './transition.ts';

/** A drop-off within this distance of the pickup counts as the same place. */
export const SAME_PLACE_METERS = 50;

export interface RideRequest extends CostBinding, Pick<Ride, 'id' | 'profile'> {
  readonly origin: Place;
  readonly destination: Place | null;
  /** World time. */
  readonly at: number;
}

export interface RequestContext {
  readonly geography: Geography;
  readonly passenger: PassengerStanding;
  /** Returns the URL of the page about an account problem. */
  readonly pageAbout: (problem: AccountProblem) => string;
  /** The passenger's latest ride in this world; null: none yet. */
  readonly latest: Ride | null;
  /** Whether the application may read the passenger's rides. */
  readonly mayReadRides: boolean;
  /**
   * The claims of the request's cost token. Null: no token. 'unreadable': this server did not issue it, or it was used
   * before.
   */
  readonly confirmation: CostClaims | 'unreadable' | null;
  /** The id of the cost token to offer when Prime Time requires confirmation. */
  readonly costTokenId: string;
  readonly sealOffer: (offer: CostClaims) => string;
  /** The Prime Time that the passenger must agree to, in percent; 0: none. */
  readonly primeTimeToAgreeTo: (area: ServiceArea) => number;
  /** Whether an available car that serves the ride type is near the pickup. */
  readonly hasCarNear: (area: ServiceArea) => boolean;
}

/**
 * Creates a pending ride. Throws the first Refusal that applies: client_error (same place), no_service_in_area,
 * ridetype_unavailable_in_region, bad_parameter (too far), destination_prohibited, account problems,
 * user_already_in_ride, invalid_primetime_confirmation, primetime_confirmation_required, no_drivers_available.
 */
export function requestRide(request: RideRequest, context: RequestContext): Ride {
  const { at } = request;
  const area = areaServing(request, context.geography);
  assertMayEnd(request, context.geography);
  assertMayRide(context.passenger, context.pageAbout);
  assertNoOtherRide(context);
  const price = agreedPrice(request, context, area);
  if (!context.hasCarNear(area))
    throw new Refusal('no_drivers_available', 'No driver is free nearby. Try again shortly.');
  // on a frozen clock, many requests have the same time, but a passenger's rides still need an order
  return newRide(request, area, price, context.latest === null ? at : eventInstant(context.latest, at));
}

function areaServing({ origin, destination, rideType }: RideRequest, geography: Geography): ServiceArea {
  if (destination !== null && metersBetween(origin, destination) <= SAME_PLACE_METERS) {
    throw new Refusal('client_error', 'Pickup and drop-off are the same place.');
  }
  const area = areaAt(geography, origin);
  if (area === undefined) throw new Refusal('no_service_in_area', 'There is no service at the pickup.');
  if (!offeredAt(area, origin).some((offered) => offered.rideType === rideType)) {
    throw new Refusal('ridetype_unavailable_in_region', 'This ride type is not available at the pickup.', {
      ride_type: 'is not available here',
    });
  }
  return area;
}

function assertMayEnd({ origin, destination }: RideRequest, geography: Geography): void {
  if (destination === null) return;
  if (milesBetween(origin, destination) > MAX_RIDE_MILES) {
    throw new Refusal('bad_parameter', `The drop-off is more than ${MAX_RIDE_MILES} miles away.`, {
      destination: `must be within ${MAX_RIDE_MILES} miles of origin`,
    });
  }
  const prohibited = prohibitedDropOffAt(geography, destination);
  if (prohibited !== undefined) throw new Refusal('destination_prohibited', prohibited.message);
}

/** Includes the ride's id for an application that can read the ride, so that a client that lost the id can recover. */
function assertNoOtherRide({ latest, mayReadRides }: RequestContext): void {
  if (latest === null || !isActive(latest.status)) return;
  const detail: Record<string, string> = mayReadRides ? { ride_id: latest.id } : {};
  throw new Refusal('user_already_in_ride', 'The passenger is already in a ride.', detail);
}

type Price = Pick<Ride, 'primeTimePercent' | 'fixedFare'>;

/** A valid token fixes the price, because Prime Time may have changed since the token was issued. */
function agreedPrice(request: RideRequest, context: RequestContext, area: ServiceArea): Price {
  const { confirmation } = context;
  if (confirmation === 'unreadable') throw invalidCostToken();
  if (confirmation !== null) {
    checkCostClaims(confirmation, request, request.at);
    return { primeTimePercent: confirmation.primeTimePercent, fixedFare: confirmation.fare };
  }
  const percent = context.primeTimeToAgreeTo(area);
  if (percent === 0) return { primeTimePercent: 0, fixedFare: null };
  const offer = offerCost(request, { id: context.costTokenId, area, primeTimePercent: percent, at: request.at });
  const token = context.sealOffer(offer);
  throw new Refusal(
    'primetime_confirmation_required',
    `Prime Time adds ${percent}% to the fare. If the passenger agrees, repeat the request with the cost_token.`,
    {},
    {
      primetime_percentage: primeTimePercentage(percent),
      primetime_multiplier: primeTimeMultiplier(percent),
      cost_token: token,
      primetime_confirmation_token: token,
      token_duration: String(COST_TOKEN_TTL_MS / SECOND_MS),
    },
  );
}

function newRide({ at: _at, ...asked }: RideRequest, { id: areaId }: ServiceArea, price: Price, at: number): Ride {
  const state = { version: 1, status: 'pending', areaId, requestedAt: at, lastEventAt: at } as const;
  return { ...NOTHING_YET, ...asked, ...price, ...state };
}
