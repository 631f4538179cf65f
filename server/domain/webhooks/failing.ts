import { DAY_MS } from '../time.ts';

/** How long none must have arrived before the application is shown as failing. */
const FIVE_DAYS_MS = 5 * DAY_MS;

/** An attempt to send a live webhook to the URL that the application has now. */
export interface EndedAttempt {
  /** Real milliseconds UTC. */
  readonly endedAt: number;
  readonly delivered: boolean;
}

/**
 * The first failure after which no webhook has arrived; null: the latest one arrived.
 * @param before the same before these attempts
 */
export function failingSince(before: number | null, attempts: readonly EndedAttempt[]): number | null {
  let since = before;
  for (const { endedAt, delivered } of attempts.toSorted((a, b) => a.endedAt - b.endedAt)) {
    if (!delivered) since ??= endedAt;
    // results can be written late: one that arrived before the failure says nothing about what came after it
    else if (since !== null && endedAt >= since) since = null;
  }
  return since;
}

/**
 * Whether an application's live webhook counts as failing. Deliveries go on all the same.
 * @param since see `failingSince`
 */
export function isFailing(since: number | null, realNow: number): boolean {
  return since !== null && realNow - since >= FIVE_DAYS_MS;
}
