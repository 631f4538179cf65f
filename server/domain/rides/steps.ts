import { DAY_MS, MINUTE_MS, SECOND_MS } from '../time.ts';
import type { World } from '../worlds/clock.ts';
import { RATING_WINDOW_MS } from './rate.ts';
import { isActive, type Ride } from './ride.ts';

const MATCHING_MS = 2 * SECOND_MS;
const MATCH_RETRY_MS = 10 * SECOND_MS;
const GIVE_UP_MS = 5 * MINUTE_MS;
const UNKNOWN_AFTER_MS = DAY_MS;

/** A change to a ride that happens without a call. */
export type Step = 'match' | 'giveUp' | 'arrive' | 'pickUp' | 'dropOff' | 'driverCancels' | 'pay' | 'closeUnknown';

export interface DueStep {
  readonly step: Step;
  /** World time. The step takes effect at this time, even if it has passed. */
  readonly at: number;
}

export interface StepRules {
  readonly speed: number;
  /** Whether rides advance without calls. Payments, and the closing of abandoned rides, always happen. */
  readonly autoAdvance: boolean;
  /** Whether this is the live world. Only there does a ride without a driver time out. */
  readonly live: boolean;
}

/** @param speed divides planned travel times */
export function stepRulesOf(world: World, speed: number): StepRules {
  return { speed, autoAdvance: world.autoAdvance, live: world.kind === 'live' };
}

/**
 * A ride's next step, for which its single timer is set; null: no step is left.
 * @param now time of the latest change or failed attempt; determines the next matching attempt
 */
export function nextStep(ride: Ride, rules: StepRules, now: number): DueStep | null {
  if (ride.status === 'droppedOff') return payment(ride);
  if (!isActive(ride.status)) return null;
  const close: DueStep = { step: 'closeUnknown', at: ride.lastEventAt + UNKNOWN_AFTER_MS };
  const move = rules.autoAdvance ? nextDriveStep(ride, rules, now) : null;
  return move !== null && move.at < close.at ? move : close;
}

function nextDriveStep(ride: Ride, rules: StepRules, now: number): DueStep | null {
  if (ride.status === 'pending') return matching(ride, rules, now);
  const { plan } = ride;
  if (plan === null) return null;
  if (ride.status === 'arrived') return { step: 'pickUp', at: plan.trip.startsAt };
  if (ride.status === 'pickedUp') return { step: 'dropOff', at: plan.trip.endsAt };
  return plan.driverCancelsAt === null
    ? { step: 'arrive', at: plan.toPickup.endsAt }
    : { step: 'driverCancels', at: plan.driverCancelsAt };
}

/** Matching is attempted at a fixed interval after the request. Returns the first attempt after `now`. */
function matching(ride: Ride, rules: StepRules, now: number): DueStep {
  const first = ride.requestedAt + Math.max(1, Math.round(MATCHING_MS / rules.speed));
  const missed = Math.max(0, Math.floor((now - first) / MATCH_RETRY_MS) + 1);
  const at = first + missed * MATCH_RETRY_MS;
  const end = ride.requestedAt + GIVE_UP_MS;
  return rules.live && at >= end ? { step: 'giveUp', at: end } : { step: 'match', at };
}

/** Payment follows the rating, or the end of the rating window if there is no rating. */
function payment(ride: Ride): DueStep | null {
  if (ride.payment !== null || ride.droppedOffAt === null) return null;
  return { step: 'pay', at: ride.paymentDueAt ?? ride.droppedOffAt + RATING_WINDOW_MS };
}
