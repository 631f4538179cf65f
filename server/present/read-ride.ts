import type { Ride } from '../../generated/types.ts';
import type { Passenger } from '../domain/passenger.ts';
import type { Ride as StoredRide } from '../domain/rides/ride.ts';
import { linksAt } from '../links.ts';
import { cancellationPriceOf, type PriceSource } from './cancellation-price.ts';
import { presentRide } from './ride.ts';

/** The reader of a ride, and the time. */
export interface Reading {
  readonly applicationId: string;
  readonly passenger: Passenger;
  /** World time. */
  readonly at: number;
}

/** A ride as getRide shows it. Webhook events use the same view. */
export function readRide(
  source: PriceSource & { readonly publicUrl: string },
  ride: StoredRide,
  { applicationId, passenger, at }: Reading,
): Ride {
  const cancellationPrice = cancellationPriceOf(source, ride, applicationId, at);
  return presentRide(ride, { passenger, at, links: linksAt(source.publicUrl), cancellationPrice });
}
