import type { Kysely, Transaction } from 'kysely';
import { isUnavailable, isUniqueViolation, isVictim } from './dialect.ts';
import type { Database } from './schema.ts';

/** A row was changed by somebody else since it was read. */
export class StaleVersion extends Error {
  override readonly name = 'StaleVersion';
}

const MOST_RERUNS = 5;

/**
 * Runs `work` in a transaction, and all of it again, at most five times, when it lost a race; then throws what it lost
 * to. Inside, only the handle it is given may be used (any other waits for this transaction, which waits for it), and no
 * other I/O: what `work` does outside the database would be done again.
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

/** A unique violation counts: the rerun sees the row that was in the way, and can say so in the rules' words. */
function isLostRace(error: unknown): boolean {
  return error instanceof StaleVersion || isVictim(error) || isUniqueViolation(error);
}

/**
 * Whether the same call may succeed later: others were quicker each time, or the database cannot do its work at the moment. A unique
 * violation that is still there after the reruns is neither: the rules did not see what the index did.
 */
export function mayPassLater(error: unknown): boolean {
  return error instanceof StaleVersion || isVictim(error) || isUnavailable(error);
}
