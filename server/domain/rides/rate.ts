import { fractionDigits } from '../pricing/currency.ts';
import { fareOfRide } from '../pricing/receipt.ts';
import { Refusal } from '../refusal.ts';
import type { ServiceArea } from '../service-area.ts';
import { DAY_MS, SECOND_MS } from '../time.ts';
import type { Money, Rating, Ride } from './ride.ts';
import { eventInstant } from './transition.ts';

/** How long after drop-off a ride can be rated. */
export const RATING_WINDOW_MS = DAY_MS;
const PAYMENT_PROCESSING_MS = 5 * SECOND_MS;
/** In whole units of the ride's currency. A tip up to this amount is always allowed. */
const TIP_ALLOWANCE = 50;

/**
 * Rates the ride and starts its payment. Throws the first Refusal that applies: ride_not_finished,
 * user_cannot_rate_this_ride, tip_currency_not_accepted, tip_too_large.
 */
export function rate(
  ride: Ride,
  rating: Omit<Rating, 'at'>,
  at: number,
  /** `hasRiddenSince`: whether the passenger has requested another ride after this one. */
  context: { readonly area: ServiceArea; readonly hasRiddenSince: boolean },
): Ride {
  assertRatable(ride, at, context.hasRiddenSince);
  if (rating.tip !== null) assertTip(rating.tip, ride, context.area);
  const ratedAt = eventInstant(ride, at);
  return {
    ...ride,
    rating: { ...rating, at: ratedAt },
    // from `at`, not `ratedAt`: on a frozen clock, a rating at the time of drop-off counts a millisecond later
    paymentDueAt: at + PAYMENT_PROCESSING_MS,
    lastEventAt: ratedAt,
  };
}

function assertRatable(ride: Ride, at: number, hasRiddenSince: boolean): void {
  if (ride.droppedOffAt === null)
    throw new Refusal('ride_not_finished', 'A ride can be rated only after the drop-off.');
  if (ride.rating !== null) throw cannotRate('It has already been rated.');
  if (at >= ride.droppedOffAt + RATING_WINDOW_MS) throw cannotRate('It ended more than 24 hours ago.');
  if (hasRiddenSince) throw cannotRate('The passenger has taken another ride since.');
  if (ride.payment !== null) throw cannotRate('It has been paid for.');
}

function assertTip(tip: Money, ride: Ride, area: ServiceArea): void {
  if (tip.currency !== area.currency) {
    const detail = { 'tip.currency': `must be ${area.currency}` };
    throw new Refusal('tip_currency_not_accepted', `The tip for this ride must be in ${area.currency}.`, detail);
  }
  const most = Math.max(TIP_ALLOWANCE * 10 ** fractionDigits(area.currency), 2 * fareOfRide(ride, area));
  if (tip.amount <= most) return;
  const detail = { 'tip.amount': `must be at most ${most}` };
  throw new Refusal('tip_too_large', `The tip for this ride must be at most ${most}.`, detail);
}

function cannotRate(reason: string): Refusal {
  return new Refusal('user_cannot_rate_this_ride', `This ride cannot be rated. ${reason}`);
}
