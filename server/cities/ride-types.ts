import type { RideTypeInfo } from '../domain/service-area.ts';

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
