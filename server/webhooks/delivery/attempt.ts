import { nextAttempt } from '../../domain/webhooks/retry-schedule.ts';
import { isDropped } from '../../domain/webhooks/simulated-faults.ts';
import { worldTime } from '../../domain/worlds/clock.ts';
import type { Parts } from '../../parts.ts';
import type { DueDelivery } from '../../store/deliveries/due.ts';
import type { AttemptResult } from '../../store/deliveries/record.ts';
import { type Outcome, type Sender, sendWebhook } from './send.ts';
import { signaturesOf, type VerificationTokens } from './signature.ts';

export type Addressed = DueDelivery & { readonly url: string };

export function isAddressed(delivery: DueDelivery): delivery is Addressed {
  return delivery.url !== null;
}

/** The result of an attempt, without the owner of the lease. */
export type Attempted = Omit<AttemptResult, 'owner'>;

/**
 * Makes one attempt, with the faults of the world's settings. Its world time is now, or the due time if the world's
 * clock is before that. Never throws.
 */
export async function attemptDelivery(
  parts: Pick<Parts, 'randomBytes'>,
  sender: Sender,
  delivery: Addressed,
): Promise<Attempted> {
  const { eventId, faults } = delivery;
  if (isDropped(faults, delivery.earlierAttempts + delivery.attempts)) {
    return attempted(delivery, notSent(sender.now()));
  }
  const outcome = await send(parts, sender, delivery);
  const duplicates = [];
  for (let count = 0; outcome.delivered && count < faults.duplicates; count += 1) {
    const { delivered: _, ...duplicate } = await send(parts, sender, delivery);
    duplicates.push({ eventId, ...duplicate });
  }
  return { ...attempted(delivery, outcome), duplicates };
}

function send(parts: Pick<Parts, 'randomBytes'>, sender: Sender, delivery: Addressed): Promise<Outcome> {
  const { url, body, environment, faults } = delivery;
  const tokens = faults.wrongSignature ? unknownToken(parts) : delivery;
  return sendWebhook(sender, { url, body, environment, signatures: signaturesOf(body, tokens, sender.now()) });
}

function unknownToken({ randomBytes }: Pick<Parts, 'randomBytes'>): VerificationTokens {
  const verificationToken = Buffer.from(randomBytes(32)).toString('base64url');
  return { verificationToken, previousVerificationToken: null, verificationTokenChangedAt: null };
}

function notSent(startedAt: number): Outcome {
  const error = 'This attempt was dropped, as the sandbox was told to.';
  return { startedAt, durationMs: 0, status: null, answer: null, error, delivered: false };
}

function attempted(delivery: DueDelivery, { delivered, ...attempt }: Outcome): Attempted {
  const { eventId, clock, dueAt, lastEndedAt, scheduleAnchor } = delivery;
  const next = nextAttempt({
    before: delivery.attempts,
    dueAt,
    startedAt: Math.max(dueAt, worldTime(clock, attempt.startedAt)),
    previousEndedAt: lastEndedAt === null ? null : worldTime(clock, lastEndedAt),
    scheduleAnchor,
  });
  const ended = { dueAt, scheduleAnchor: next.scheduleAnchor };
  if (delivered) return { attempt: { eventId, ...attempt }, next: { status: 'delivered', ...ended } };
  if (next.dueAt === null) return { attempt: { eventId, ...attempt }, next: { status: 'given_up', ...ended } };
  return { attempt: { eventId, ...attempt }, next: { status: 'pending', ...next, dueAt: next.dueAt } };
}
