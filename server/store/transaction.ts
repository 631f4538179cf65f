import type { Kysely, Transaction } from 'kysely';
import { isOrphan, isUnavailable, isUniqueViolation, isVictim } from './dialect.ts';
import type { Database } from './schema.ts';

/** Another transaction has changed the row since it was read. */
export class StaleVersion extends Error {
  override readonly name = 'StaleVersion';
}

const MOST_RERUNS = 5;

/**
 * Runs `work` in a transaction. If it loses a race, all of it runs again, at most five times; then the last error is
 * thrown. `work` may use only the handle it is given: a query on any other handle waits for this transaction, which
 * waits for it. It may do no other I/O, because a rerun would repeat it.
 */
export async function transaction<T>(
  db: Kysely<Database>,
  work: (tx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  // Read committed is enough on PostgreSQL: versions, unique indexes and conditional updates are checked against the
  // newest rows when they are written. A stricter level would add failures, not safety.
  const attempt = db.transaction().setIsolationLevel('read committed');
  for (let reruns = 0; ; reruns++) {
    try {
      return await attempt.execute(work);
    } catch (error) {
      if (reruns === MOST_RERUNS || !isLostRace(error)) throw error;
    }
  }
}

/**
 * A unique violation counts, and so does a row whose parent is gone: the rerun sees the other change and can refuse the
 * request properly.
 */
function isLostRace(error: unknown): boolean {
  return error instanceof StaleVersion || isVictim(error) || isUniqueViolation(error) || isOrphan(error);
}

/**
 * Whether the same call may succeed later: it lost every race, or the database is unavailable. A unique violation that
 * remains after the reruns does not count: the rules missed what the index found, which is a bug.
 */
export function mayPassLater(error: unknown): boolean {
  return error instanceof StaleVersion || isVictim(error) || isUnavailable(error);
}
