import type { Ring } from './geo.ts';

/** What a ride type costs, in minor units of the area's currency. Distances are miles, times minutes. */
export interface Prices {
  readonly baseCharge: number;
  readonly costPerMile: number;
  readonly costPerMinute: number;
  readonly costMinimum: number;
  /** The "trust and service" fee: added after Prime Time, never multiplied by it. */
  readonly trustAndService: number;
  readonly cancelPenalty: number;
}

/** A ride type as one area offers it. */
export interface AreaRideType {
  readonly rideType: string;
  readonly prices: Prices;
  /** Key of `zones`: offered only when the pickup is inside that zone. Absent: everywhere in the area. */
  readonly onlyInZone?: string;
  /** Share of the area's cars that serve this type, 0 to 1. A car may serve several. */
  readonly shareOfCars: number;
}

/** A tax or surcharge that the region adds to a fare or a cancel fee. */
export type RegionalCharge =
  | { readonly name: string; readonly percent: number }
  | { readonly name: string; readonly flat: number };

/** Prime Time that recurs every week, in the area's local time. Hours are 0 to 24, `to` exclusive; days 1 (Monday) to 7. */
export interface PrimeTimeHours {
  readonly days: readonly number[];
  readonly fromHour: number;
  readonly toHour: number;
  /** A multiple of 25. */
  readonly percent: number;
}

/** A part of an area. */
export interface Zone {
  /** As in "only for pickups in downtown San Francisco". */
  readonly name: string;
  readonly boundary: Ring;
}

export interface ProhibitedDropOff {
  readonly name: string;
  readonly boundary: Ring;
  /** Shown to the passenger as error_description. */
  readonly message: string;
}

/** How an area's cars and drivers look. */
export interface FleetProfile {
  /** Cars per square kilometre at the busiest time. */
  readonly carsPerSquareKm: number;
  /** Two-letter state for licence plates, null where plates carry none. */
  readonly plateState: string | null;
  /** `A` stands for a letter, `9` for a digit; anything else is kept. */
  readonly platePattern: string;
  /** E.164 prefix of drivers' telephone numbers: a range kept for fiction, so that nobody real is ever called. */
  readonly phonePrefix: string;
  /** How many digits a number has, country code included: what the prefix lacks is drawn. */
  readonly phoneDigits: number;
}

/** One service area: a city, as data. */
export interface ServiceArea {
  /** Stable key, kebab case. */
  readonly id: string;
  readonly name: string;
  /** IANA time zone. */
  readonly timeZone: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Where rides may start and end. */
  readonly boundary: Ring;
  /** Parts of the area, referred to by `AreaRideType.onlyInZone`. */
  readonly zones: Readonly<Record<string, Zone>>;
  readonly prohibitedDropOffs: readonly ProhibitedDropOff[];
  /** Heading of the street grid in degrees from north, 0 to 90: simulated cars drive along and across it. */
  readonly streetBearing: number;
  /** Average driving speed in the city's streets, km/h. */
  readonly cityKmPerHour: number;
  readonly rideTypes: readonly AreaRideType[];
  readonly primeTime: readonly PrimeTimeHours[];
  readonly regionalCharges: readonly RegionalCharge[];
  /** Seconds after acceptance in which canceling is free. */
  readonly cancelGraceSeconds: number;
  readonly fleet: FleetProfile;
}

/** A ride type wherever it is offered: what it is called and how many it seats. */
export interface RideTypeInfo {
  readonly rideType: string;
  readonly displayName: string;
  readonly seats: number;
  /** The shared type: its destination cannot change. */
  readonly shared: boolean;
}

/** The ground that the rules work on: the areas served and the ride types known. */
export interface Geography {
  readonly areas: readonly ServiceArea[];
  readonly rideTypes: Readonly<Record<string, RideTypeInfo>>;
}
