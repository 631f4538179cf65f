import { sql } from 'kysely';
import { endedAt, isActive, NOTHING_YET, type Nulls, type Ride } from '../domain/rides/ride.ts';
import { flag } from './flag.ts';
import type { RideRow } from './schema.ts';

export type RideColumns = Omit<RideRow, 'costTokenId' | 'silent'>;

export function toRow(ride: Ride): RideColumns {
  return {
    worldId: ride.worldId,
    id: ride.id,
    version: ride.version,
    applicationId: ride.applicationId,
    passengerId: ride.passengerId,
    driverId: ride.driver?.driverId ?? null,
    status: ride.status,
    active: flag(isActive(ride.status)),
    rideType: ride.rideType,
    requestedAt: ride.requestedAt,
    finishedAt: endedAt(ride),
    document: JSON.stringify(ride),
  };
}

/** Sets nullable fields that are newer than the row to null. */
export function toRide({ document }: Pick<RideRow, 'document'>): Ride {
  const ride: Ride = over(NOTHING_YET, JSON.parse(document));
  const { origin, destination, driver, plan, rating, payment } = ride;
  return {
    ...ride,
    origin: over({ address: null }, origin),
    destination: destination && over({ address: null }, destination),
    driver: driver && over({}, { ...driver, vehicle: over({ licensePlateState: null }, driver.vehicle) }),
    plan: plan && over({ driverCancelsAt: null }, plan),
    rating: rating && over({ feedback: null, tip: null }, rating),
    payment: payment && over({}, payment),
  };
}

/**
 * Adds null for missing nullable fields. The type of `nulls` requires every one of them, so a new field must be added
 * here.
 */
function over<T>(nulls: Nulls<T>, stored: T): T {
  return { ...nulls, ...stored };
}

/** Literals: with a bound parameter, SQLite does not use the partial indexes over active rides. */
export const YES = sql.lit<1>(1);
export const NO = sql.lit<0>(0);
