import type { AreaRideType, Prices, RideTypeInfo } from '../domain/service-area.ts';

const catalog: readonly RideTypeInfo[] = [
  { rideType: 'svc_line', displayName: 'Line', seats: 2, shared: true },
  { rideType: 'svc', displayName: 'Standard', seats: 4, shared: false },
  { rideType: 'svc_plus', displayName: 'Plus', seats: 6, shared: false },
  { rideType: 'svc_premier', displayName: 'Premier', seats: 4, shared: false },
  { rideType: 'svc_lux', displayName: 'Lux', seats: 4, shared: false },
  { rideType: 'svc_luxsuv', displayName: 'Lux SUV', seats: 6, shared: false },
];

/** All ride types by identifier, cheapest first. */
export const rideTypes: ReadonlyMap<string, RideTypeInfo> = new Map(catalog.map((info) => [info.rideType, info]));

type Fees = Pick<Prices, 'trustAndService' | 'cancelPenalty'>;

/** Prices in minor units, and how the ride type differs from the others of the city. */
type PriceRow = readonly [
  rideType: string,
  shareOfCars: number,
  baseCharge: number,
  costPerMile: number,
  costPerMinute: number,
  costMinimum: number,
  different?: Partial<Fees> & Pick<AreaRideType, 'onlyInZone'>,
];

/** The ride types of a city. @param fees those of every ride type, unless its row has others */
export function priceList(fees: Fees, rows: readonly PriceRow[]): AreaRideType[] {
  return rows.map(([rideType, shareOfCars, baseCharge, costPerMile, costPerMinute, costMinimum, different = {}]) => {
    const { onlyInZone, ...ownFees } = different;
    const prices = { ...fees, baseCharge, costPerMile, costPerMinute, costMinimum, ...ownFees };
    return { rideType, prices, shareOfCars, ...(onlyInZone !== undefined && { onlyInZone }) };
  });
}
