import type { Ring } from '../../server/domain/geo.ts';
import { NOTHING_YET, type Place, type Ride } from '../../server/domain/rides/ride.ts';
import type { Geography, Prices, ServiceArea } from '../../server/domain/service-area.ts';

export const PRICES: Prices = {
  baseCharge: 200,
  costPerMile: 150,
  costPerMinute: 30,
  costMinimum: 500,
  trustAndService: 250,
  cancelPenalty: 500,
};

/** A made-up town of about 17 by 17 km, with a bay in its north side. Prime Time: Mondays from 17 to 19. */
export const FAKE_AREA: ServiceArea = {
  id: 'fakeville',
  name: 'Fakeville',
  timeZone: 'America/Chicago',
  currency: 'USD',
  boundary: [
    [-90.1, 40.0],
    [-89.9, 40.0],
    [-89.9, 40.15],
    [-89.98, 40.15],
    [-90.0, 40.1],
    [-90.02, 40.15],
    [-90.1, 40.15],
    [-90.1, 40.0],
  ],
  zones: {
    downtown: {
      name: 'downtown Fakeville',
      boundary: rectangle(-90.02, 40.04, -89.98, 40.07),
    },
  },
  prohibitedDropOffs: [
    {
      name: 'Airport',
      boundary: rectangle(-89.92, 40.0, -89.9, 40.02),
      message: 'Drop-offs at the airport are not allowed.',
    },
  ],
  streetBearing: 12,
  cityKmPerHour: 28,
  rideTypes: [
    { rideType: 'svc', prices: PRICES, shareOfCars: 0.9 },
    { rideType: 'svc_plus', prices: { ...PRICES, baseCharge: 300 }, shareOfCars: 0.2 },
    { rideType: 'svc_line', prices: PRICES, shareOfCars: 0.4 },
    { rideType: 'svc_lux', prices: { ...PRICES, baseCharge: 900 }, shareOfCars: 0.1, onlyInZone: 'downtown' },
  ],
  primeTime: [{ days: [1], fromHour: 17, toHour: 19, percent: 50 }],
  regionalCharges: [
    { name: 'City tax', percent: 4 },
    { name: 'Street fund', flat: 35 },
  ],
  cancelGraceSeconds: 120,
  fleet: {
    carsPerSquareKm: 5.5,
    plateState: 'IL',
    platePattern: 'AA 99999',
    phonePrefix: '+1217555',
    phoneDigits: 11,
  },
};

/** Two towns, close enough for a ride between them: the second one is about 160 miles to the north. */
export const FAKE_GEOGRAPHY: Geography = {
  areas: [
    FAKE_AREA,
    {
      ...FAKE_AREA,
      id: 'fartown',
      boundary: FAKE_AREA.boundary.map(([lng, lat]) => [lng, lat + 2.3] as const),
      prohibitedDropOffs: [],
    },
  ],
  rideTypes: new Map(
    [
      { rideType: 'svc', displayName: 'Svc', seats: 4, shared: false },
      { rideType: 'svc_plus', displayName: 'Plus', seats: 6, shared: false },
      { rideType: 'svc_line', displayName: 'Line', seats: 2, shared: true },
      { rideType: 'svc_lux', displayName: 'Lux', seats: 4, shared: false },
    ].map((info) => [info.rideType, info]),
  ),
};

export const DOWNTOWN: Place = { lat: 40.05, lng: -90.0, address: '1 Main Street' };
/** About 5 km from downtown. */
export const SUBURB: Place = { lat: 40.03, lng: -90.05, address: null };
/** On the other side of the town, about 12 km from the suburb. */
export const FAR_SIDE: Place = { lat: 40.12, lng: -89.93, address: null };
export const AIRPORT: Place = { lat: 40.01, lng: -89.91, address: null };
/** Outside every area, less than 100 miles away. */
export const COUNTRYSIDE: Place = { lat: 40.4, lng: -90.0, address: null };
/** In the other town, more than 100 miles away. */
export const FARTOWN: Place = { lat: 42.35, lng: -90.0, address: null };

/** A Tuesday, 10:00 in the town. */
export const TUESDAY_MORNING = Date.UTC(2026, 0, 6, 16);
/** A Monday, 17:30 in the town. */
export const MONDAY_RUSH = Date.UTC(2026, 0, 5, 23, 30);

/** A pending ride from downtown to the suburb, requested on Tuesday morning. */
export function fakeRide(change: Partial<Ride> = {}): Ride {
  return {
    ...NOTHING_YET,
    worldId: 'live',
    id: 'ride-1',
    version: 1,
    applicationId: 'app-1',
    passengerId: 'passenger-1',
    status: 'pending',
    areaId: FAKE_AREA.id,
    rideType: 'svc',
    profile: 'personal',
    origin: DOWNTOWN,
    destination: SUBURB,
    primeTimePercent: 0,
    requestedAt: TUESDAY_MORNING,
    lastEventAt: TUESDAY_MORNING,
    ...change,
  };
}

/** A closed ring around a rectangle, in degrees. */
export function rectangle(west: number, south: number, east: number, north: number): Ring {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}
