import type { Prices, RegionalCharge, ServiceArea } from '../service-area.ts';

/** Throws an Error when the area does not offer the ride type. */
export function pricesOf(area: ServiceArea, rideType: string): Prices {
  const offered = area.rideTypes.find((candidate) => candidate.rideType === rideType);
  if (offered === undefined) throw new Error(`${area.id} has no prices for ${rideType}`);
  return offered.prices;
}

/** The components of a fare, in minor units. Each is rounded, so they add up to the fare exactly. */
export interface Fare {
  readonly base: number;
  readonly distance: number;
  readonly time: number;
  /** Raises the sum to the ride type's minimum. */
  readonly toMinimum: number;
  /** The surcharge on all of the above. */
  readonly primeTime: number;
}

/**
 * The fare of a driven path, before the trust and service fee and regional charges.
 * @param seconds driving time at normal speed
 */
export function fareOf(prices: Prices, miles: number, seconds: number, primeTimePercent: number): Fare {
  const base = prices.baseCharge;
  const distance = Math.round(prices.costPerMile * miles);
  const time = Math.round((prices.costPerMinute * seconds) / 60);
  const toMinimum = Math.max(0, prices.costMinimum - base - distance - time);
  const primeTime = Math.round(((base + distance + time + toMinimum) * primeTimePercent) / 100);
  return { base, distance, time, toMinimum, primeTime };
}

/** The total of a fare including Prime Time, in minor units. */
export function sumOf(fare: Fare): number {
  return fare.base + fare.distance + fare.time + fare.toMinimum + fare.primeTime;
}

/** What a regional charge adds to a fare (including Prime Time) or to a cancel fee, in minor units. */
export function regionalAmount(charge: RegionalCharge, subtotal: number): number {
  return 'flat' in charge ? charge.flat : Math.round((subtotal * charge.percent) / 100);
}

/** The passenger's total: the fare (including Prime Time), trust and service fee and regional charges, without tip. */
export function totalOf(fare: number, prices: Prices, regionalCharges: readonly RegionalCharge[]): number {
  return regionalCharges.reduce((total, charge) => total + regionalAmount(charge, fare), fare + prices.trustAndService);
}
