import { draws, pick } from '../chance.ts';
import { FIRST_NAMES } from '../first-names.ts';
import type { Driver, Vehicle } from '../rides/ride.ts';
import type { ServiceArea } from '../service-area.ts';
import { COLORS, LUXURY_COLORS, MODELS, vehicleClassOf } from './vehicle.ts';

const BEACON_COLORS = ['#FF00BF', '#00C7B1', '#FFB300', '#6C3BFF', '#21A0FF', '#39D353', '#FF5A36'] as const;
/** Without letters that look like digits. */
const PLATE_LETTERS = [...'ABCDEFGHJKLMNPRSTUVWXYZ'];
const DIGITS = [...'0123456789'];
const OLDEST_MODEL_YEAR = 2014;
const NEWEST_LUXURY_AGE = 5;
const MODEL_YEARS = 11;

/** The driver with this id, with a car that fits the ride types. */
export function driverAt(seed: string, area: ServiceArea, driverId: string, rideTypes: readonly string[]): Driver {
  const [name, stars, beacon] = draws(3, seed, 'driver', driverId);
  return {
    driverId,
    firstName: pick(FIRST_NAMES, name),
    rating: (4.5 + Math.floor(stars * 5) / 10).toFixed(1),
    phoneNumber: phoneNumberOf(seed, area, driverId),
    vehicle: vehicleOf(seed, area, driverId, rideTypes),
    beaconColor: pick(BEACON_COLORS, beacon),
  };
}

function vehicleOf(seed: string, area: ServiceArea, driverId: string, rideTypes: readonly string[]): Vehicle {
  const [model, age, color] = draws(3, seed, 'vehicle', driverId);
  const kind = vehicleClassOf(rideTypes);
  const luxury = kind === 'luxury' || kind === 'luxuryLarge';
  const years = luxury ? NEWEST_LUXURY_AGE : MODEL_YEARS;
  const [make, name] = pick(MODELS[kind], model);
  return {
    make,
    model: name,
    year: OLDEST_MODEL_YEAR + MODEL_YEARS - years + Math.floor(age * years),
    licensePlate: plateOf(seed, area, driverId),
    licensePlateState: area.fleet.plateState,
    color: pick(luxury ? LUXURY_COLORS : COLORS, color),
  };
}

function plateOf(seed: string, area: ServiceArea, driverId: string): string {
  const pattern = [...area.fleet.platePattern];
  const chances = draws(pattern.length, seed, 'plate', driverId);
  const choices = pattern.map((sign) => (sign === 'A' ? PLATE_LETTERS : sign === '9' ? DIGITS : [sign]));
  return choices.map((signs, i) => pick(signs, chances[i]!)).join('');
}

function phoneNumberOf(seed: string, area: ServiceArea, driverId: string): string {
  const { phonePrefix, phoneDigits } = area.fleet;
  const missing = Math.max(0, phoneDigits - phonePrefix.replace(/\D/g, '').length);
  const chances = draws(missing, seed, 'phone', driverId);
  return phonePrefix + chances.map((chance) => pick(DIGITS, chance)).join('');
}
