import { NEXT, type RideStatus } from '../../../../server/domain/rides/ride.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../../server/domain/time.ts';

const GRACE_MS = 2 * MINUTE_MS;
const OFFER_MS = MINUTE_MS;
const PAYMENT_MS = 5 * SECOND_MS;

/** The expected state of a world, its passenger and their rides. Instants are milliseconds of the world's clock. */
export type Model = ReturnType<typeof newModel>;
export type RideModel = ReturnType<typeof newRide>;

export function newModel(now: number) {
  return {
    ...{ now, percent: 0, hasRideType: true, hasDrivers: true },
    ...{ hasPayment: true, isDisabled: false, isDriver: false, isVerified: true },
    /** Oldest first. */
    rides: [] as RideModel[],
    price: null as ReturnType<typeof newOffer> | null,
    fee: null as ReturnType<typeof newOffer> | null,
  };
}

export function newRide(id: string, primeTimePercent: number, requestedAt: number) {
  return {
    ...{ id, primeTimePercent, lastEventAt: requestedAt, isPaid: false },
    status: 'pending' as RideStatus,
    acceptedAt: null as number | null,
    droppedOffAt: null as number | null,
    canceledBy: null as string | null,
    rating: null as number | null,
    /** When the payment in progress completes; null without one. */
    dueAt: null as number | null,
  };
}

/**
 * A token from a response. The passenger agrees to a price or a fee by sending it. @param about the trip that the token
 * is for
 */
export function newOffer({ now, percent }: Record<'now' | 'percent', number>, token: string, about: string) {
  return { token, expiresAt: now + OFFER_MS, percent, about, isUsed: false };
}

export function isRunning({ status }: RideModel): boolean {
  return NEXT[status].length > 0;
}

/** On a frozen clock, each change comes a millisecond after the previous one. */
export function tick(ride: RideModel, now: number): number {
  ride.lastEventAt = Math.max(now, ride.lastEventAt + 1);
  return ride.lastEventAt;
}

/** Advances the clock, completes the payments that are due by then, and closes forgotten rides. */
export function pass(model: Model, ms: number): void {
  model.now += ms;
  for (const ride of model.rides) {
    if (isRunning(ride) && ride.lastEventAt + DAY_MS <= model.now) {
      ride.lastEventAt += DAY_MS;
      ride.status = 'unknown';
    }
    if (ride.status === 'droppedOff' && !ride.isPaid) {
      const dueAt = ride.dueAt ?? ride.droppedOffAt! + DAY_MS;
      if (dueAt <= model.now) pay(ride, dueAt);
    }
  }
}

export function pay(ride: RideModel, at: number): void {
  if (ride.status !== 'droppedOff' || ride.isPaid) return;
  tick(ride, at);
  ride.isPaid = true;
  ride.dueAt = null;
}

const WAY: readonly RideStatus[] = ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff'];

/** Moves a ride to a later status, through those in between. */
export function moveTo(ride: RideModel, to: RideStatus, by: string | null, now: number): void {
  if (to === 'unknown') {
    tick(ride, now);
    ride.status = to;
  } else if (to === 'canceled') {
    const canceler = by ?? 'driver';
    cancel(ride, canceler, canceler === 'passenger' && owesFee(ride, now), now);
  } else {
    for (const next of WAY.slice(WAY.indexOf(ride.status) + 1, WAY.indexOf(to) + 1)) {
      const at = tick(ride, now);
      ride.status = next;
      if (next === 'accepted') ride.acceptedAt = at;
      if (next === 'droppedOff') ride.droppedOffAt = at;
    }
  }
}

export function cancel(ride: RideModel, by: string, costs: boolean, now: number): void {
  tick(ride, now);
  ride.status = 'canceled';
  ride.canceledBy = by;
  if (!costs) return;
  ride.lastEventAt += 1;
  ride.isPaid = true;
}

export function owesFee(ride: RideModel, now: number): boolean {
  if (ride.status === 'pickedUp') return true;
  if (ride.status !== 'accepted' && ride.status !== 'arrived') return false;
  return now >= ride.acceptedAt! + GRACE_MS;
}

export type Refused = readonly [status: number, code: string];

/** The error for requesting a ride; null if it can be requested. */
export function whyNotRequested(model: Model): Refused | null {
  if (!model.hasRideType) return [400, 'ridetype_unavailable_in_region'];
  if (!model.hasPayment) return [403, 'user_payment_required'];
  if (model.isDisabled) return [403, 'account_disabled'];
  if (model.isDriver) return [403, 'user_in_driver_mode'];
  if (!model.isVerified) return [403, 'verified_phone_required'];
  const latest = model.rides.at(-1);
  return latest && isRunning(latest) ? [409, 'user_already_in_ride'] : null;
}

/** The error for rating a ride; null if it can be rated. */
export function whyNotRated(ride: RideModel, isLatest: boolean, now: number): Refused | null {
  if (ride.status !== 'droppedOff') return [409, 'ride_not_finished'];
  const isOver = now >= ride.droppedOffAt! + DAY_MS;
  const isRatable = ride.rating === null && !isOver && isLatest && !ride.isPaid;
  return isRatable ? null : [400, 'user_cannot_rate_this_ride'];
}

export function rate(ride: RideModel, stars: number, now: number): void {
  tick(ride, now);
  ride.rating = stars;
  ride.dueAt = now + PAYMENT_MS;
}
