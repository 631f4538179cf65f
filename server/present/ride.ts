import type { ResponseBody } from '../../generated/server.ts';
import type {
  CancellationPrice,
  FinishedRide,
  Place,
  PlaceAndTime,
  Ride,
  RideFacts,
  VehiclePosition,
} from '../../generated/types.ts';
import type { Passenger } from '../domain/passenger.ts';
import { primeTimePercentage } from '../domain/pricing/prime-time.ts';
import { canCancel } from '../domain/rides/cancel.ts';
import { shownDurationSeconds } from '../domain/rides/duration.ts';
import type { Place as StoredPlace, Ride as StoredRide } from '../domain/rides/ride.ts';
import { dropOffEtaSeconds, pickupEtaSeconds, vehiclePosition } from '../domain/rides/whereabouts.ts';
import type { Links } from '../links.ts';
import { presentInstant } from './instant.ts';
import { presentPayment } from './payment.ts';
import { presentDriver, presentPassenger, presentVehicle } from './people.ts';

/** What a response shows in addition to the ride. */
export interface RideView {
  readonly passenger: Passenger;
  /** World time of the response. */
  readonly at: number;
  readonly links: Links;
  /** The current cancel fee; null while canceling is free. */
  readonly cancellationPrice: CancellationPrice | null;
}

/** A ride in the response to requestRide. */
export function presentNewRide(ride: StoredRide, passenger: Passenger, links: Links): ResponseBody<'requestRide', 201> {
  return {
    ride_id: ride.id,
    status: 'pending',
    ride_type: ride.rideType,
    origin: presentPlace(ride.origin),
    ...(ride.destination !== null && { destination: presentPlace(ride.destination) }),
    passenger: presentPassenger(passenger, links),
  };
}

/** A ride with exactly the fields of its status. */
export function presentRide(ride: StoredRide, view: RideView): Ride {
  const facts = factsOf(ride, view);
  const origin = presentPlace(ride.origin);
  const destination = ride.destination === null ? {} : { destination: presentPlace(ride.destination) };
  const price = view.cancellationPrice === null ? {} : { cancellation_price: view.cancellationPrice };
  switch (ride.status) {
    case 'pending':
      return { ...facts, status: 'pending', origin, ...destination };
    case 'accepted':
      return {
        ...facts,
        status: 'accepted',
        origin: { ...origin, eta_seconds: pickupEtaSeconds(ride, view.at) },
        ...destination,
        ...crewOf(ride, view),
        location: locationOf(ride, view.at),
        ...price,
      };
    case 'arrived':
      return {
        ...facts,
        status: 'arrived',
        origin,
        ...destination,
        ...crewOf(ride, view),
        location: locationOf(ride, view.at),
        ...price,
      };
    case 'pickedUp':
      return {
        ...facts,
        status: 'pickedUp',
        origin,
        ...(ride.destination !== null && {
          destination: { ...presentPlace(ride.destination), eta_seconds: dropOffEtaSeconds(ride, view.at) },
        }),
        ...crewOf(ride, view),
        location: locationOf(ride, view.at),
        pickup: pickupOf(ride),
        ...price,
      };
    default:
      return presentFinishedRide(ride, view);
  }
}

/** Throws an Error for a ride that has not ended. */
export function presentFinishedRide(ride: StoredRide, view: RideView): FinishedRide {
  const places = {
    origin: presentPlace(ride.origin),
    ...(ride.destination !== null && { destination: presentPlace(ride.destination) }),
  };
  const facts = { ...factsOf(ride, view), ...places };
  const soFar = {
    ...(ride.driver !== null && crewOf(ride, view)),
    ...(ride.pickedUpAt !== null && { pickup: pickupOf(ride) }),
  };
  const payment = ride.payment === null ? {} : presentPayment(ride.payment);
  switch (ride.status) {
    case 'droppedOff':
      return {
        ...facts,
        status: 'droppedOff',
        ...crewOf(ride, view),
        pickup: pickupOf(ride),
        dropoff: dropOffOf(ride),
        distance_miles: known(ride.distanceMiles),
        duration_seconds: known(shownDurationSeconds(ride)),
        ...(ride.rating !== null && { rating: ride.rating.stars }),
        ...(ride.rating?.feedback != null && { feedback: ride.rating.feedback }),
        ...payment,
      };
    case 'canceled':
      return { ...facts, status: 'canceled', canceled_by: known(ride.canceledBy), ...soFar, ...payment };
    case 'unknown':
      return { ...facts, status: 'unknown', ...soFar };
    default:
      throw new Error(`Ride ${ride.id} is ${ride.status}, not finished`);
  }
}

export function presentPlace({ lat, lng, address }: StoredPlace): Place {
  return { lat, lng, address };
}

function factsOf(ride: StoredRide, { passenger, at, links }: RideView): RideFacts {
  return {
    ride_id: ride.id,
    ride_type: ride.rideType,
    passenger: presentPassenger(passenger, links),
    primetime_percentage: primeTimePercentage(ride.primeTimePercent),
    requested_at: presentInstant(ride.requestedAt),
    generated_at: presentInstant(at),
    ride_profile: ride.profile,
    pricing_details_url: links.pricing(ride.areaId),
    route_url: links.route(ride),
    can_cancel: [...canCancel(ride.status)],
  };
}

function crewOf(ride: StoredRide, { links }: RideView) {
  const driver = known(ride.driver);
  return {
    driver: presentDriver(driver, links),
    vehicle: presentVehicle(driver, links),
    beacon_color: driver.beaconColor,
  };
}

function locationOf(ride: StoredRide, at: number): VehiclePosition {
  const { lat, lng, bearing } = known(vehiclePosition(ride, at));
  // a waiting car's heading is meaningless
  return { lat, lng, bearing: ride.status === 'arrived' ? null : bearing };
}

function pickupOf(ride: StoredRide): PlaceAndTime {
  return { ...presentPlace(ride.origin), time: presentInstant(known(ride.pickedUpAt)) };
}

/** The destination; without one, the end of the driven path. */
function dropOffOf(ride: StoredRide): PlaceAndTime {
  const { lat, lng } = known(ride.plan).trip.path.at(-1)!;
  const place = ride.destination ?? { lat, lng, address: null };
  return { ...presentPlace(place), time: presentInstant(known(ride.droppedOffAt)) };
}

/** A field that the ride's status implies. Throws an Error when it is missing. */
function known<T>(value: T | null): T {
  if (value === null) throw new Error('A ride lacks a field that its status requires');
  return value;
}
