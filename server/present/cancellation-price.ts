import type { CancellationPrice } from '../../generated/types.ts';
import { areaOf } from '../domain/areas.ts';
import { cancelFee } from '../domain/pricing/cancel-penalty.ts';
import { CANCEL_TOKEN_TTL_SECONDS, cancelClaimsFor } from '../domain/pricing/cancel-token.ts';
import type { Ride } from '../domain/rides/ride.ts';
import type { Geography } from '../domain/service-area.ts';
import type { PriceTokens } from '../price-tokens.ts';

/** Dependencies for computing and sealing a price. */
export interface PriceSource {
  readonly geography: Geography;
  readonly priceTokens: PriceTokens;
}

/** The price of canceling at a given world time, with the token that confirms it; null while canceling is free. */
export function cancellationPriceOf(
  { geography, priceTokens }: PriceSource,
  ride: Ride,
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
