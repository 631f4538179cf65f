import { SECOND_MS } from '../time.ts';

/** When each retry is due, counted from the start of the first attempt. */
export const RETRIES_AFTER_MS = [2, 5, 10, 20, 35, 55, 85, 120].map((seconds) => seconds * SECOND_MS);
/** How late an attempt may start without moving the rest of the schedule. Such a small delay is no outage. */
const USUAL_LATENESS_MS = SECOND_MS;

/** An attempt that failed, and its place in the schedule. Instants are of the world's clock. */
export interface FailedAttempt {
  /** How many attempts of this schedule came before it. */
  readonly before: number;
  readonly dueAt: number;
  readonly startedAt: number;
  /** When the previous attempt ended; null for the first. */
  readonly previousEndedAt: number | null;
  /** What the schedule counts from: the start of the first attempt, moved by our own delays; null for the first. */
  readonly scheduleAnchor: number | null;
}

export interface NextAttempt {
  readonly scheduleAnchor: number;
  /** Instant of the world's clock; null: no retry is left. */
  readonly dueAt: number | null;
}

/**
 * When a webhook is sent again. A slow previous attempt does not move the schedule. A delay on our side moves it by as
 * much, so that an outage of the server costs the receiver no attempt.
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
