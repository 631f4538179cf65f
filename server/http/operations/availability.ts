import type { HandlersTagged } from '../../../generated/server.ts';
import type { CostEstimate, EtaEstimate, NearbyDriver, PickupEta } from '../../../generated/types.ts';
import type { Car } from '../../domain/fleet/fleet.ts';
import { milesBetween, type Point } from '../../domain/geo.ts';
import {
  type CostEstimate as DomainEstimate,
  MAX_RIDE_MILES,
  priceTrip,
  type Trip,
  tripBetween,
} from '../../domain/pricing/estimate.ts';
import { offerEstimate } from '../../domain/pricing/offer.ts';
import { primeTimePercentage } from '../../domain/pricing/prime-time.ts';
import { pickupSeconds } from '../../domain/routes/route.ts';
import type { ServiceArea } from '../../domain/service-area.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { geographyIn, primeTimeIn } from '../../domain/worlds/geography-in.ts';
import { linksAt } from '../../links.ts';
import type { Parts } from '../../parts.ts';
import { newCostTokenIds, type PriceTokens } from '../../price-tokens.ts';
import { type Cars, freeCarsAt } from '../../rides/dispatch.ts';
import type { Caller, Contexts } from '../caller.ts';
import { assertOffered, pairOf, type Served, servedAt } from './served.ts';

const SHOWN_DRIVERS = 5;
/** How much a pickup time can vary, as a fraction. */
const PICKUP_SPREAD = 0.25;

export function availabilityHandlers(
  parts: Cars & Pick<Parts, 'store' | 'publicUrl' | 'priceTokens' | 'randomBytes'>,
): HandlersTagged<'Availability', Contexts> {
  const { geography, priceTokens, store } = parts;
  const links = linksAt(parts.publicUrl);
  const nameOf = (rideType: string) => geography.rideTypes.get(rideType)?.displayName ?? rideType;
  const served = ({ world }: Caller, point: Point, rideType?: string) =>
    servedAt(geographyIn(geography, world.settings), point, rideType);
  const freeCars = ({ world, at }: Caller, point: Point, { area, offered }: Served, limit: number) =>
    freeCarsAt(store.db, parts, world, at, { area, point, rideTypes: offered.map(({ rideType }) => rideType), limit });

  return {
    listRideTypes: async ({ query, context }, reply) => {
      const { area, offered } = served(context, query, query.ride_type);
      assertOffered({ area, offered }, query.ride_type);
      const cheapestFirst = [...offered].sort((a, b) => a.prices.costPerMile - b.prices.costPerMile);
      return reply(200, {
        ride_types: cheapestFirst.map(({ rideType, prices }) => ({
          ride_type: rideType,
          display_name: nameOf(rideType),
          image_url: links.car(rideType),
          seats: geography.rideTypes.get(rideType)?.seats ?? 1,
          pricing_details: {
            base_charge: prices.baseCharge,
            cost_per_mile: prices.costPerMile,
            cost_per_minute: prices.costPerMinute,
            cost_minimum: prices.costMinimum,
            trust_and_service: prices.trustAndService,
            cancel_penalty_amount: prices.cancelPenalty,
            currency: area.currency,
          },
        })),
      });
    },

    estimateEta: async ({ query, context }, reply) => {
      const destination = pairOf(query, 'destination_lat', 'destination_lng');
      const { area, offered } = served(context, query, query.ride_type);
      const isTooFar = isOutOfReach(query, destination);
      const carsNear = await freeCars(context, query, { area, offered }, 1);
      const secondsFrom = pickupsTo(query, area);
      const estimates = offered.map(({ rideType }): EtaEstimate => {
        const named = { ride_type: rideType, display_name: nameOf(rideType) };
        if (isTooFar) return { ...named, eta_seconds: null, is_valid_estimate: false };
        const [nearest] = carsNear(rideType);
        const seconds = nearest === undefined ? null : secondsFrom(nearest);
        return { ...named, eta_seconds: seconds, is_valid_estimate: true };
      });
      return reply(200, { eta_estimates: estimates });
    },

    estimateCost: async ({ query, context }, reply) => {
      const start = { lat: query.start_lat, lng: query.start_lng };
      const end = pairOf(query, 'end_lat', 'end_lng');
      const { area, offered } = served(context, start, query.ride_type);
      assertOffered({ area, offered }, query.ride_type);
      // without a passenger, no one can accept Prime Time
      const percent = context.passenger === null ? 0 : primeTimeIn(context.world, area, context.at);
      const trip = end && tripBetween(start, end, area);
      // no passenger, no cost token
      const ids = context.passenger === null ? [] : newCostTokenIds(parts.randomBytes, offered.length);
      const estimates = offered.map(({ rideType }, index) => {
        const ride = { rideType, name: nameOf(rideType), area, percent, start, end, trip };
        return priceOf(ride, (estimate) => costToken(priceTokens, context, ride, { id: ids[index], estimate }));
      });
      return reply(200, { cost_estimates: estimates });
    },

    listDrivers: async ({ query, context }, reply) => {
      const { area, offered } = served(context, query);
      const carsNear = await freeCars(context, query, { area, offered }, SHOWN_DRIVERS);
      const nearby = offered.map(({ rideType }) => ({
        ride_type: rideType,
        drivers: carsNear(rideType).map(presentCar),
      }));
      return reply(200, { nearby_drivers: nearby });
    },

    listPickupEtas: async ({ query, context }, reply) => {
      const destination = pairOf(query, 'destination_lat', 'destination_lng');
      const { area, offered } = served(context, query, query.ride_type);
      const reachable = isOutOfReach(query, destination) ? [] : offered;
      const carsNear = await freeCars(context, query, { area, offered: reachable }, SHOWN_DRIVERS);
      const secondsFrom = pickupsTo(query, area);
      const etas = reachable.flatMap(({ rideType }): PickupEta[] => {
        const cars = carsNear(rideType);
        const [nearest] = cars;
        if (nearest === undefined) return [];
        const durationMs = secondsFrom(nearest) * SECOND_MS;
        const rangeMs = Math.round(durationMs * PICKUP_SPREAD);
        return [
          {
            ride_type: rideType,
            display_name: nameOf(rideType),
            pickup_duration_range: { duration_ms: durationMs, range_ms: rangeMs },
            pickup_time_range: { timestamp_ms: Math.round(context.at) + durationMs, range_ms: rangeMs },
            nearby_drivers: cars.map(presentCar),
          },
        ];
      });
      return reply(200, { timezone: area.timeZone, nearby_drivers_pickup_etas: etas });
    },
  };
}

/** The pickup times of cars. A car that serves several ride types takes the same route for each. */
function pickupsTo(point: Point, area: ServiceArea): (car: Car) => number {
  const known = new Map<string, number>();
  return ({ driverId, position }) => {
    const seconds = known.get(driverId) ?? pickupSeconds(position, point, area);
    known.set(driverId, seconds);
    return seconds;
  };
}

/** Whether the destination is farther than drivers go. */
function isOutOfReach(pickup: Point, destination: Point | null): boolean {
  return destination !== null && milesBetween(pickup, destination) > MAX_RIDE_MILES;
}

function presentCar({ trail }: Car): NearbyDriver {
  return { locations: trail.map(({ lat, lng }) => ({ lat, lng })) };
}

interface PricedRide {
  readonly rideType: string;
  readonly name: string;
  readonly area: ServiceArea;
  readonly percent: number;
  readonly start: Point;
  readonly end: Point | null;
  /** Null: there is no destination, or it is too far away. */
  readonly trip: Trip | null;
}

function priceOf(
  { rideType, name, area, percent, end, trip }: PricedRide,
  tokenOf: (estimate: DomainEstimate | null) => string | null,
): CostEstimate {
  const terms = {
    ...{ ride_type: rideType, display_name: name, currency: area.currency },
    primetime_percentage: primeTimePercentage(percent),
  };
  if (end === null) return { ...terms, cost_token: tokenOf(null), is_valid_estimate: true };
  const cost = priceTrip(trip, { area, rideType, primeTimePercent: percent });
  const token = cost.isValid ? tokenOf(cost) : null;
  return {
    ...terms,
    estimated_cost_cents_min: cost.minCents,
    estimated_cost_cents_max: cost.maxCents,
    estimated_distance_miles: cost.miles,
    estimated_duration_seconds: cost.seconds,
    primetime_confirmation_token: token,
    cost_token: token,
    is_valid_estimate: cost.isValid,
  };
}

/** Null without a passenger, who alone could accept the price. */
function costToken(
  tokens: PriceTokens,
  { world, application, passenger, at }: Caller,
  { rideType, percent, start, end }: PricedRide,
  { id, estimate }: { readonly id: string | undefined; readonly estimate: DomainEstimate | null },
): string | null {
  if (passenger === null || id === undefined) return null;
  const binding = {
    ...{ worldId: world.id, applicationId: application.id, passengerId: passenger.id },
    ...{ rideType, origin: start, destination: end },
  };
  return tokens.seal('cost', offerEstimate(binding, { id, primeTimePercent: percent, at }, estimate));
}
