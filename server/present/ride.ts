import type { ResponseBody } from '../../generated/server.ts';
import type {
  CancellationPrice,
  Driver,
  FinishedRide,
  Passenger,
  Place,
  PlaceAndTime,
  Ride,
  RideFacts,
  Vehicle,
  VehiclePosition,
} from '../../generated/types.ts';
import type { Passenger as StoredPassenger } from '../domain/passenger.ts';
import { primeTimePercentage } from '../domain/pricing/prime-time.ts';
import { canCancel } from '../domain/rides/cancel.ts';
import {
  type Driver as StoredDriver,
  type Place as StoredPlace,
  type Ride as StoredRide,
  shownDurationSeconds,
} from '../domain/rides/ride.ts';
import { dropOffEtaSeconds, pickupEtaSeconds, vehiclePosition } from '../domain/rides/whereabouts.ts';
import type { Links } from '../links.ts';
import { presentInstant } from './instant.ts';
import { presentPayment } from './payment.ts';

export interface RideView {
  readonly passenger: StoredPassenger;
  /** World time of the response. */
  readonly at: number;
  readonly links: Links;
  /** The current cancel fee; null while canceling is free. */
  readonly cancellationPrice: CancellationPrice | null;
}

export function presentNewRide(
  ride: StoredRide,
  passenger: StoredPassenger,
  links: Links,
): ResponseBody<'requestRide', 201> {
  return {
    ride_id: ride.id,
    status: 'pending',
    ride_type: ride.rideType,
    origin: presentPlace(ride.origin),
    ...destinationOf(ride),
    passenger: presentPassenger(passenger, links),
  };
}

/** A ride with exactly the fields of its status. */
export function presentRide(ride: StoredRide, view: RideView): Ride {
  const { status } = ride;
  if (status === 'droppedOff' || status === 'canceled' || status === 'unknown') return presentFinishedRide(ride, view);
  const facts = factsOf(ride, view);
  const origin = presentPlace(ride.origin);
  const destination = destinationOf(ride);
  if (status === 'pending') return { ...facts, status, origin, ...destination };
  const onTheRoad = { ...crewOf(ride, view), location: locationOf(ride, view.at) };
  const price = view.cancellationPrice && { cancellation_price: view.cancellationPrice };
  if (status === 'accepted') {
    const pickup = { ...origin, eta_seconds: pickupEtaSeconds(ride, view.at) };
    return { ...facts, status, origin: pickup, ...destination, ...onTheRoad, ...price };
  }
  if (status === 'arrived') return { ...facts, status, origin, ...destination, ...onTheRoad, ...price };
  const end = ride.destination && {
    destination: { ...presentPlace(ride.destination), eta_seconds: dropOffEtaSeconds(ride, view.at) },
  };
  return { ...facts, status, origin, ...end, ...onTheRoad, pickup: pickupOf(ride), ...price };
}

/** Throws an Error for a ride that has not ended. */
export function presentFinishedRide(ride: StoredRide, view: RideView): FinishedRide {
  const { status } = ride;
  const facts = { ...factsOf(ride, view), origin: presentPlace(ride.origin), ...destinationOf(ride) };
  const soFar = { ...(ride.driver && crewOf(ride, view)), ...(ride.pickedUpAt !== null && { pickup: pickupOf(ride) }) };
  const payment = ride.payment && presentPayment(ride.payment);
  switch (status) {
    case 'droppedOff':
      return {
        ...facts,
        status,
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
      return { ...facts, status, canceled_by: known(ride.canceledBy), ...soFar, ...payment };
    case 'unknown':
      return { ...facts, status, ...soFar };
    default:
      throw new Error(`Ride ${ride.id} is ${status}, not finished`);
  }
}

export function presentPlace({ lat, lng, address }: StoredPlace): Place {
  return { lat, lng, address };
}

function destinationOf({ destination }: StoredRide): { readonly destination?: Place } {
  return destination === null ? {} : { destination: presentPlace(destination) };
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

function presentPassenger(passenger: StoredPassenger, links: Links): Passenger {
  return {
    user_id: passenger.id,
    first_name: passenger.firstName,
    last_name: passenger.lastName,
    image_url: links.portrait(passenger.imageUrl),
    rating: passenger.rating,
  };
}

function presentDriver(driver: StoredDriver, links: Links): Driver {
  return {
    user_id: driver.driverId,
    first_name: driver.firstName,
    image_url: links.person(driver.driverId),
    rating: driver.rating,
    phone_number: driver.phoneNumber,
  };
}

function presentVehicle({ vehicle }: StoredDriver, links: Links): Vehicle {
  return {
    make: vehicle.make,
    model: vehicle.model,
    year: vehicle.year,
    license_plate: vehicle.licensePlate,
    license_plate_state: vehicle.licensePlateState,
    color: vehicle.color,
    image_url: links.vehicle(vehicle),
  };
}

/** A field that the ride's status implies. Throws an Error when it is missing. */
function known<T>(value: T | null): T {
  if (value === null) throw new Error('A ride lacks a field that its status requires');
  return value;
}
