import { SECOND_MS } from '../time.ts';

/** When the attempts after the first are due, counted from the start of the first. */
export const RETRIES_AFTER_MS = [2, 5, 10, 20, 35, 55, 85, 120].map((seconds) => seconds * SECOND_MS);
/** How late an attempt may start before the rest of the schedule moves: a little of it is no stop. */
const USUAL_LATENESS_MS = SECOND_MS;

/** An attempt that failed, and its place in the schedule. Instants are of the world's clock. */
export interface FailedAttempt {
  /** How many attempts of this schedule were made before it. */
  readonly before: number;
  readonly dueAt: number;
  readonly startedAt: number;
  /** When the one before it ended; null for the first. */
  readonly previousEndedAt: number | null;
  /** What the schedule is counted from, so far: when the first one started, moved by our own lateness; null for the first. */
  readonly scheduleAnchor: number | null;
}

export interface NextAttempt {
  readonly scheduleAnchor: number;
  /** Instant of the world's clock; null: that was the last one. */
  readonly dueAt: number | null;
}

/**
 * When a webhook is sent again. An attempt that the one before it held up does not move the schedule; what started late through our own
 * fault does, by that much, so that a stop of the server takes no attempt from the receiver.
 */
export function nextAttempt(failed: FailedAttempt): NextAttempt {
  const scheduleAnchor = anchorOf(failed);
  const retryAfter = RETRIES_AFTER_MS[failed.before];
  return { scheduleAnchor, dueAt: retryAfter === undefined ? null : scheduleAnchor + retryAfter };
}

function anchorOf({ scheduleAnchor, startedAt, dueAt, previousEndedAt }: FailedAttempt): number {
  if (scheduleAnchor === null) return startedAt;
  const lateBy = startedAt - Math.max(dueAt, previousEndedAt ?? dueAt);
  return lateBy > USUAL_LATENESS_MS ? scheduleAnchor + lateBy : scheduleAnchor;
}
