import { DAY_MS } from '../time.ts';

/** How long webhooks must fail before the application is shown as failing. */
const FIVE_DAYS_MS = 5 * DAY_MS;

/** An attempt to send a live webhook to the application's current URL. */
export interface EndedAttempt {
  /** Real time, in milliseconds UTC. */
  readonly endedAt: number;
  readonly delivered: boolean;
}

/** The time of the first failure since a webhook last arrived; null: the latest one arrived. */
export function failingSince(before: number | null, attempts: readonly EndedAttempt[]): number | null {
  let since = before;
  for (const { endedAt, delivered } of attempts.toSorted((a, b) => a.endedAt - b.endedAt)) {
    if (!delivered) since ??= endedAt;
    // results can be recorded late: a webhook that arrived before the failure proves nothing about the time after it
    else if (since !== null && endedAt >= since) since = null;
  }
  return since;
}

/** Whether an application's live webhook counts as failing. Deliveries continue regardless. */
export function isFailing(since: number | null, realNow: number): boolean {
  return since !== null && realNow - since >= FIVE_DAYS_MS;
}
