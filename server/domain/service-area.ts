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
  /** Key of `zones`: offered only for pickups in that zone; absent: everywhere in the area. */
  readonly onlyInZone?: string;
  /** Share of the area's cars, 0 to 1, that serve this type unless they serve a dearer one that excludes it. */
  readonly shareOfCars: number;
}

/** A tax or surcharge that the region adds to a fare or a cancel fee. */
export type RegionalCharge =
  | { readonly name: string; readonly percent: number }
  | { readonly name: string; readonly flat: number };

/** Weekly Prime Time, in the area's local time. Hours are 0 to 24, `toHour` exclusive; days are 1 (Monday) to 7. */
export interface PrimeTimeHours {
  readonly days: readonly number[];
  readonly fromHour: number;
  readonly toHour: number;
  /** A multiple of 25. */
  readonly percent: number;
}

export interface Zone {
  /** Completes "only for pickups in", such as "downtown San Francisco". */
  readonly name: string;
  readonly boundary: Ring;
}

export interface ProhibitedDropOff {
  readonly name: string;
  readonly boundary: Ring;
  /** Shown to the passenger as error_description. */
  readonly message: string;
}

/** What the area's simulated cars and drivers look like. */
export interface FleetProfile {
  /** Cars per square kilometre at the busiest time. */
  readonly carsPerSquareKm: number;
  /** Two-letter state for licence plates; null where plates name no state. */
  readonly plateState: string | null;
  /** `A` stands for a letter, `9` for a digit; anything else is kept. */
  readonly platePattern: string;
  /** E.164 prefix of drivers' phone numbers, from a range reserved for fiction so that no real person gets a call. */
  readonly phonePrefix: string;
  /** Digits in a phone number, country code included. The digits after the prefix are drawn. */
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
  /** Parts of the area, by the key that `AreaRideType.onlyInZone` refers to. */
  readonly zones: Readonly<Record<string, Zone>>;
  readonly prohibitedDropOffs: readonly ProhibitedDropOff[];
  /** Heading of the street grid in degrees from north, 0 to 90: simulated cars drive along and across it. */
  readonly streetBearing: number;
  /** Average driving speed on city streets, km/h. */
  readonly cityKmPerHour: number;
  readonly rideTypes: readonly AreaRideType[];
  readonly primeTime: readonly PrimeTimeHours[];
  readonly regionalCharges: readonly RegionalCharge[];
  /** Seconds after acceptance during which canceling is free. */
  readonly cancelGraceSeconds: number;
  readonly fleet: FleetProfile;
}

/** The facts of a ride type that are the same in every area. */
export interface RideTypeInfo {
  readonly rideType: string;
  readonly displayName: string;
  readonly seats: number;
  /** Whether passengers share the car. The destination of a shared ride cannot change. */
  readonly shared: boolean;
}

/** The served areas and the known ride types. */
export interface Geography {
  readonly areas: readonly ServiceArea[];
  readonly rideTypes: Readonly<Record<string, RideTypeInfo>>;
}
