import { nextAttempt } from '../domain/webhooks/schedule.ts';
import { worldTime } from '../domain/worlds/clock.ts';
import type { AttemptResult, DueDelivery } from '../store/deliveries.ts';
import { type Outcome, type Sender, sendWebhook } from '../webhooks/send.ts';
import { signaturesOf } from '../webhooks/signature.ts';

/** A delivery that has somewhere to go. */
export type Addressed = DueDelivery & { readonly url: string };

export function isAddressed(delivery: DueDelivery): delivery is Addressed {
  return delivery.url !== null;
}

/** What an attempt came to: what is recorded of it, but for whose it was. */
export type Attempted = Omit<AttemptResult, 'owner'>;

/** Makes one attempt, at the world's present instant, or when it was due if the world's clock is not there yet. Never throws. */
export async function attemptDelivery(sender: Sender, delivery: Addressed): Promise<Attempted> {
  const { url, body, environment } = delivery;
  const signatures = signaturesOf(body, delivery, sender.now());
  const outcome = await sendWebhook(sender, { url, body, environment, signatures });
  return attempted(delivery, outcome);
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
