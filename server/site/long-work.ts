import { endTurn, tooManyAtOnce } from '../http/calls-at-once.ts';
import { fairJobs, TooManyJobs } from '../limits/fair-jobs.ts';
import type { Account } from '../sign-in/accounts.ts';
import type { Visit } from './site.ts';

/** Long jobs of pages that run at once. Each can keep several megabytes. */
const JOBS_AT_ONCE = 2;
/**
 * Long jobs of an account that wait.
 * @beyond a page with 429 and `Retry-After`
 * @heldBy tests/portal/requests.test.ts
 */
const MOST_WAITING = 8;
const inOrder = fairJobs(JOBS_AT_ONCE, { waiting: MOST_WAITING });

/**
 * Runs what a page takes long for. No other page or call waits for it, and accounts take turns. Throws Refusal
 * `rate_limit_exceeded`.
 */
export async function longWork<T>(
  { account, res }: Pick<Visit<Account>, 'account' | 'res'>,
  job: () => Promise<T>,
): Promise<T> {
  endTurn(res.req);
  return inOrder(account.id, job).catch((error: unknown) => {
    throw error instanceof TooManyJobs ? tooManyAtOnce(res) : error;
  });
}
