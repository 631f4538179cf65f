import { SECOND_MS } from '../time.ts';

/** When each retry is due, measured from the start of the first attempt. */
export const RETRIES_AFTER_MS = [2, 5, 10, 20, 35, 55, 85, 120].map((seconds) => seconds * SECOND_MS);
/** How late an attempt can start without shifting the rest of the schedule. Such a small delay is not an outage. */
const USUAL_LATENESS_MS = SECOND_MS;

/** A failed attempt and its place in the schedule. Times are world time. */
export interface FailedAttempt {
  /** The number of earlier attempts on this schedule. */
  readonly before: number;
  readonly dueAt: number;
  readonly startedAt: number;
  /** When the previous attempt ended; null for the first one. */
  readonly previousEndedAt: number | null;
  /**
   * The origin of the schedule: the start of the first attempt, shifted by our own delays; null for the first attempt.
   */
  readonly scheduleAnchor: number | null;
}

export interface NextAttempt {
  readonly scheduleAnchor: number;
  /** World time; null: no retry is left. */
  readonly dueAt: number | null;
}

/**
 * When to retry a webhook. A slow previous attempt does not shift the schedule. A delay on our side shifts it by the
 * same amount, so that a server outage does not cost the receiver any attempt.
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
