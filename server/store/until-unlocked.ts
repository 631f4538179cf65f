import { isLockTimeout } from './engine/errors.ts';

/**
 * Attempts of a starting server to get a locked row. This many waits of LONGEST_LOCK_WAIT_MS take longer than
 * LONGEST_PAUSE_IN_TRANSACTION_MS, after which PostgreSQL ends the transaction of a frozen process.
 * @beyond the start fails with PostgreSQL's message
 * @heldBy tests/store/transaction.test.ts
 */
const MOST_LOCK_WAITS = 5;

/**
 * Runs `work` again if another transaction holds a lock for too long, until the lock must be free. For startup: another
 * process can freeze in a transaction, and PostgreSQL ends that only after LONGEST_PAUSE_IN_TRANSACTION_MS. A request
 * fails with 503 instead, because its client waits. `work` must be idempotent.
 */
export async function untilUnlocked<T>(work: () => Promise<T>): Promise<T> {
  for (let waits = 1; ; waits++) {
    try {
      return await work();
    } catch (error) {
      if (waits === MOST_LOCK_WAITS || !isLockTimeout(error)) throw error;
    }
  }
}
