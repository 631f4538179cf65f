import { nextAttempt } from '../../domain/webhooks/retry-schedule.ts';
import { isDropped } from '../../domain/webhooks/simulated-faults.ts';
import { type WorldKind, worldTime } from '../../domain/worlds/clock.ts';
import type { AttemptEnd, Meter, Parts } from '../../parts.ts';
import type { DueDelivery } from '../../store/deliveries/due.ts';
import { kindOf } from '../../store/deliveries/lanes.ts';
import type { AttemptResult, MadeAttempt } from '../../store/deliveries/record.ts';
import { requestHeaders, sentText } from './request-headers.ts';
import { failedOutcome, type Outcome, type Sender } from './send.ts';
import { sign, type VerificationTokens } from './signature.ts';

export type Addressed = DueDelivery & { readonly url: string };

export function isAddressed(delivery: DueDelivery): delivery is Addressed {
  return delivery.url !== null;
}

/** The result of an attempt, without the lease's owner, and the outcome of the attempt and its duplicates. */
export type Attempted = Omit<AttemptResult, 'owner'> & {
  readonly kind: WorldKind;
  readonly ends: readonly AttemptEnd[];
};

/** Counts recorded attempts. @param eventIds as returned by recordAttempts */
export function meterAttempts(meter: Meter | null, made: readonly Attempted[], eventIds: readonly string[]): void {
  if (meter === null) return;
  const recorded = new Set(eventIds);
  for (const { attempt, kind, ends } of made) {
    if (recorded.has(attempt.eventId)) for (const end of ends) meter.attempt(kind, end);
  }
}

type SendingParts = Pick<Parts, 'randomBytes' | 'tracer'>;

/** Makes one attempt, with the world's faults. Its world time is at least the due time. Never throws. */
export async function attemptDelivery(parts: SendingParts, sender: Sender, delivery: Addressed): Promise<Attempted> {
  const { eventId, faults } = delivery;
  const kind = kindOf(delivery);
  if (isDropped(faults, delivery.earlierAttempts + delivery.attempts)) {
    return {
      ...attempted(delivery, { ...failedOutcome(sender.now(), 0, DROPPED), sent: null }),
      kind,
      ends: ['dropped'],
    };
  }
  const outcome = await send(parts, sender, delivery);
  const ends = [endOf(outcome)];
  const duplicates = [];
  for (let count = 0; outcome.delivered && count < faults.duplicates; count += 1) {
    const sent = await send(parts, sender, delivery);
    const { delivered: _, ...duplicate } = sent;
    ends.push(endOf(sent));
    duplicates.push({ eventId, ...duplicate });
  }
  return { ...attempted(delivery, outcome), duplicates, kind, ends };
}

function endOf({ status, delivered }: Outcome): AttemptEnd {
  if (delivered) return 'delivered';
  return status === null ? 'failed' : 'refused';
}

/** An outcome, and what differs from the requests of other attempts: see `sentText`. */
type Made = Outcome & Pick<MadeAttempt, 'sent'>;

async function send(parts: SendingParts, sender: Sender, delivery: Addressed): Promise<Made> {
  const { applicationId, url, body, faults } = delivery;
  const tokens = faults.wrongSignature ? unknownToken(parts) : delivery;
  const span = parts.tracer?.beginAttempt(kindOf(delivery));
  const signed = sign(delivery, tokens, sender.now());
  const sent = { host: new URL(url).host, ...signed, traceparent: span?.traceparent };
  const outcome = await sender.send({ applicationId, url, body, headers: requestHeaders(delivery, sent) });
  span?.end(endOf(outcome), outcome.status);
  return { ...outcome, sent: sentText(sent) };
}

const DROPPED = 'The sandbox dropped this attempt, as configured.';

function unknownToken({ randomBytes }: Pick<Parts, 'randomBytes'>): VerificationTokens {
  const verificationToken = Buffer.from(randomBytes(32)).toString('base64url');
  return { verificationToken, previousVerificationToken: null, verificationTokenChangedAt: null };
}

function attempted(delivery: DueDelivery, { delivered, ...attempt }: Made): Omit<AttemptResult, 'owner'> {
  const { eventId, clock, dueAt, lastEndedAt, scheduleAnchor, verificationToken } = delivery;
  const next = nextAttempt({
    before: delivery.attempts,
    dueAt,
    startedAt: Math.max(dueAt, worldTime(clock, attempt.startedAt)),
    previousEndedAt: lastEndedAt === null ? null : worldTime(clock, lastEndedAt),
    scheduleAnchor,
  });
  const ended = { dueAt, scheduleAnchor: next.scheduleAnchor };
  const made = { attempt: { eventId, ...attempt }, verificationToken };
  if (delivered) return { ...made, next: { status: 'delivered', ...ended } };
  if (next.dueAt === null) return { ...made, next: { status: 'given_up', ...ended } };
  return { ...made, next: { status: 'pending', ...next, dueAt: next.dueAt } };
}
