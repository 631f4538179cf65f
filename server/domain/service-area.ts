import type { Ring } from './geo.ts';

/** A ride type's prices, in minor units of the area's currency, per mile and per minute. */
export interface Prices {
  readonly baseCharge: number;
  readonly costPerMile: number;
  readonly costPerMinute: number;
  readonly costMinimum: number;
  /** The "trust and service" fee: added after Prime Time, never multiplied by it. */
  readonly trustAndService: number;
  readonly cancelPenalty: number;
}

export interface AreaRideType {
  readonly rideType: string;
  readonly prices: Prices;
  /** Key of `zones`: offered only for pickups in that zone; absent: everywhere in the area. */
  readonly onlyInZone?: string;
  /**
   * The fraction of the area's cars, 0 to 1, that serve this type unless they serve a more expensive type that excludes
   * it.
   */
  readonly shareOfCars: number;
}

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

/** Describes the area's simulated cars and drivers. */
export interface FleetProfile {
  /** Cars per square kilometer at the busiest time. */
  readonly carsPerSquareKm: number;
  /** Two-letter state for license plates; null where plates show no state. */
  readonly plateState: string | null;
  /** `A` is a random letter, `9` a random digit; other characters stay as they are. */
  readonly platePattern: string;
  /** E.164 prefix of drivers' phone numbers, from a range reserved for fiction, so that no real person is called. */
  readonly phonePrefix: string;
  /** Digits in a phone number, including the country code. The digits after the prefix are random. */
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
  /** Where rides can start and end. */
  readonly boundary: Ring;
  /** Parts of the area, by the key that `AreaRideType.onlyInZone` refers to. */
  readonly zones: Readonly<Record<string, Zone>>;
  readonly prohibitedDropOffs: readonly ProhibitedDropOff[];
  /**
   * Heading of the street grid in degrees from north, 0 to 90. Simulated cars drive along it and at right angles to it.
   */
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

/** The properties of a ride type that are the same in every area. */
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
  /** By identifier. Clients send these, so this is a Map: an object also has inherited names, such as `constructor`. */
  readonly rideTypes: ReadonlyMap<string, RideTypeInfo>;
}
