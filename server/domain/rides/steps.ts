import { DAY_MS, MINUTE_MS, SECOND_MS } from '../time.ts';
import { RATING_WINDOW_MS } from './rate.ts';
import { isActive, type Ride } from './ride.ts';

const MATCHING_MS = 2 * SECOND_MS;
const MATCH_RETRY_MS = 10 * SECOND_MS;
const GIVE_UP_MS = 5 * MINUTE_MS;
const UNKNOWN_AFTER_MS = DAY_MS;

/** What happens to a ride by itself. */
export type Step = 'match' | 'giveUp' | 'arrive' | 'pickUp' | 'dropOff' | 'driverCancels' | 'pay' | 'closeUnknown';

export interface DueStep {
  readonly step: Step;
  /** Instant of the world's clock; it may be past, and is the time at which the step happens all the same. */
  readonly at: number;
}

/** What a world says of how its rides go on. */
export interface StepRules {
  /** What planned times are divided by. */
  readonly speed: number;
  /** Whether rides move on by themselves; payments and forgotten rides do in any case. */
  readonly autoAdvance: boolean;
  /** Whether it is the live world: only there a ride that nobody takes is given up. */
  readonly live: boolean;
}

/**
 * The one timer of a ride: what happens next if nothing else does; null when nothing will.
 * @param now the instant of the change or failed attempt after which this is asked: tells the attempts at matching apart
 */
export function nextStep(ride: Ride, rules: StepRules, now: number): DueStep | null {
  if (ride.status === 'droppedOff') return payment(ride);
  if (!isActive(ride.status)) return null;
  const close: DueStep = { step: 'closeUnknown', at: ride.lastEventAt + UNKNOWN_AFTER_MS };
  const move = rules.autoAdvance ? nextMove(ride, rules, now) : null;
  return move !== null && move.at < close.at ? move : close;
}

function nextMove(ride: Ride, rules: StepRules, now: number): DueStep | null {
  if (ride.status === 'pending') return matching(ride, rules, now);
  const { plan } = ride;
  if (plan === null) return null;
  if (ride.status === 'arrived') return { step: 'pickUp', at: plan.trip.startsAt };
  if (ride.status === 'pickedUp') return { step: 'dropOff', at: plan.trip.endsAt };
  return plan.driverCancelsAt === null
    ? { step: 'arrive', at: plan.toPickup.endsAt }
    : { step: 'driverCancels', at: plan.driverCancelsAt };
}

/** Attempts stand in a row from the request on; the next one is the first after `now`. */
function matching(ride: Ride, rules: StepRules, now: number): DueStep {
  const first = ride.requestedAt + Math.max(1, Math.round(MATCHING_MS / rules.speed));
  const missed = Math.max(0, Math.floor((now - first) / MATCH_RETRY_MS) + 1);
  const at = first + missed * MATCH_RETRY_MS;
  const end = ride.requestedAt + GIVE_UP_MS;
  return rules.live && at >= end ? { step: 'giveUp', at: end } : { step: 'match', at };
}

/** After the rating, or at the end of the time for one: otherwise it would never be paid. */
function payment(ride: Ride): DueStep | null {
  if (ride.payment !== null || ride.droppedOffAt === null) return null;
  return { step: 'pay', at: ride.paymentDueAt ?? ride.droppedOffAt + RATING_WINDOW_MS };
}
