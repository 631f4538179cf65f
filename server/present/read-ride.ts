import type { CancellationPrice, Ride } from '../../generated/types.ts';
import { areaOf } from '../domain/areas.ts';
import type { Passenger } from '../domain/passenger.ts';
import { cancelFee } from '../domain/pricing/cancel-penalty.ts';
import { CANCEL_TOKEN_TTL_SECONDS, cancelClaimsFor } from '../domain/pricing/cancel-token.ts';
import type { Ride as StoredRide } from '../domain/rides/ride.ts';
import type { Geography } from '../domain/service-area.ts';
import { linksAt } from '../links.ts';
import type { PriceTokens } from '../price-tokens.ts';
import { presentRide } from './ride.ts';

interface PriceSource {
  readonly geography: Geography;
  readonly priceTokens: PriceTokens;
}

interface Reading {
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

/** The price of canceling at a given world time, with the token that confirms it; null while canceling is free. */
function cancellationPriceOf(
  { geography, priceTokens }: PriceSource,
  ride: StoredRide,
  applicationId: string,
  at: number,
): CancellationPrice | null {
  const area = areaOf(geography, ride);
  const amount = cancelFee(ride, area, at);
  if (amount === 0) return null;
  return {
    amount,
    currency: area.currency,
    token: priceTokens.seal('cancel', cancelClaimsFor(ride, applicationId, amount, at)),
    token_duration: CANCEL_TOKEN_TTL_SECONDS,
    description: ride.status === 'pickedUp' ? 'The fare so far' : 'The driver is on the way or waiting',
  };
}
