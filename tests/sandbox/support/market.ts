import type { Operations } from '../../../generated/client.ts';
import { DOLORES_PARK, FERRY_BUILDING } from '../../support/places.ts';

/** What somebody finds who looks for a ride across San Francisco. */
export interface Market {
  readonly rideTypes: readonly string[];
  /** Prime Time by ride type, as the costs have it. */
  readonly primeTime: Readonly<Record<string, string | undefined>>;
  /** By ride type; null where nobody would come. */
  readonly etas: Readonly<Record<string, number | null>>;
  /** How many cars are shown, by ride type. */
  readonly cars: Readonly<Record<string, number>>;
  readonly pickups: readonly string[];
}

export async function marketOf(api: Operations, place = FERRY_BUILDING, end = DOLORES_PARK): Promise<Market> {
  const here = { params: { query: place } };
  const trip = { start_lat: place.lat, start_lng: place.lng, end_lat: end.lat, end_lng: end.lng };
  const [types, costs, etas, drivers, pickups] = [
    (await api.listRideTypes(here)).data!.ride_types,
    (await api.estimateCost({ params: { query: trip } })).data!.cost_estimates,
    (await api.estimateEta(here)).data!.eta_estimates,
    (await api.listDrivers(here)).data!.nearby_drivers,
    (await api.listPickupEtas(here)).data!.nearby_drivers_pickup_etas,
  ];
  return {
    rideTypes: types.map(({ ride_type }) => ride_type),
    primeTime: Object.fromEntries(costs.map((cost) => [cost.ride_type, cost.primetime_percentage])),
    etas: Object.fromEntries(etas.map(({ ride_type, eta_seconds }) => [ride_type, eta_seconds])),
    cars: Object.fromEntries(drivers.map(({ ride_type, drivers }) => [ride_type, drivers.length])),
    pickups: pickups.map(({ ride_type }) => ride_type),
  };
}
