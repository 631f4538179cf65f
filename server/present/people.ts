import type { Driver, Passenger, Vehicle } from '../../generated/types.ts';
import type { Passenger as StoredPassenger } from '../domain/passenger.ts';
import type { Driver as StoredDriver } from '../domain/rides/ride.ts';
import type { Links } from '../links.ts';

export function presentPassenger(passenger: StoredPassenger, links: Links): Passenger {
  return {
    user_id: passenger.id,
    first_name: passenger.firstName,
    last_name: passenger.lastName,
    image_url: links.portrait(passenger.imageUrl),
    rating: passenger.rating,
  };
}

export function presentDriver(driver: StoredDriver, links: Links): Driver {
  return {
    user_id: driver.driverId,
    first_name: driver.firstName,
    image_url: links.person(driver.driverId),
    rating: driver.rating,
    phone_number: driver.phoneNumber,
  };
}

export function presentVehicle({ vehicle }: StoredDriver, links: Links): Vehicle {
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
