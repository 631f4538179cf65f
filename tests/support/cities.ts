import type { Point } from '../../server/domain/geo.ts';

/** A city as a client sees it. Each offers its zoned ride type in the center but not at the edge. */
export interface City {
  readonly name: string;
  readonly center: Point;
  readonly edge: Point;
  readonly currency: string;
  readonly timeZone: string;
  /** The types at the center, cheapest first. */
  readonly rideTypes: readonly string[];
  readonly zoned: string;
  /** A ride type that the city does not offer. */
  readonly missing: string;
}

export const CITIES: readonly City[] = [
  {
    ...{ name: 'San Francisco', currency: 'USD', timeZone: 'America/Los_Angeles' },
    ...{ center: { lat: 37.7952, lng: -122.4028 }, edge: { lat: 37.6003, lng: -122.3867 } },
    rideTypes: ['svc_line', 'svc', 'svc_plus', 'svc_premier', 'svc_lux'],
    ...{ zoned: 'svc_lux', missing: 'svc_luxsuv' },
  },
  {
    ...{ name: 'New York', currency: 'USD', timeZone: 'America/New_York' },
    ...{ center: { lat: 40.758, lng: -73.9855 }, edge: { lat: 40.5745, lng: -73.9779 } },
    rideTypes: ['svc_line', 'svc', 'svc_plus', 'svc_premier', 'svc_lux', 'svc_luxsuv'],
    ...{ zoned: 'svc_line', missing: 'svc_rickshaw' },
  },
  {
    ...{ name: 'Chicago', currency: 'USD', timeZone: 'America/Chicago' },
    ...{ center: { lat: 41.8789, lng: -87.6359 }, edge: { lat: 41.6946, lng: -87.6085 } },
    rideTypes: ['svc_line', 'svc', 'svc_plus', 'svc_lux'],
    ...{ zoned: 'svc_lux', missing: 'svc_premier' },
  },
  {
    ...{ name: 'Seattle', currency: 'USD', timeZone: 'America/Los_Angeles' },
    ...{ center: { lat: 47.6097, lng: -122.3422 }, edge: { lat: 47.4587, lng: -122.258 } },
    rideTypes: ['svc_line', 'svc', 'svc_premier'],
    ...{ zoned: 'svc_premier', missing: 'svc_plus' },
  },
  {
    ...{ name: 'London', currency: 'GBP', timeZone: 'Europe/London' },
    ...{ center: { lat: 51.5074, lng: -0.1278 }, edge: { lat: 51.3752, lng: -0.0927 } },
    rideTypes: ['svc', 'svc_plus', 'svc_premier', 'svc_luxsuv'],
    ...{ zoned: 'svc_luxsuv', missing: 'svc_line' },
  },
];

export const [SAN_FRANCISCO] = CITIES as [City, ...City[]];

/** The display name of each ride type. */
export const DISPLAY_NAMES: Readonly<Record<string, string>> = {
  svc_line: 'Line',
  svc: 'Standard',
  svc_plus: 'Plus',
  svc_premier: 'Premier',
  svc_lux: 'Lux',
  svc_luxsuv: 'Lux SUV',
};
