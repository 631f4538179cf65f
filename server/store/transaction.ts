import type { Kysely } from 'kysely';
import { isOrphan, isUnavailable, isUniqueViolation, isVictim } from './engine/errors.ts';
import type { Database, Tx } from './schema.ts';

/** Another transaction changed the row after it was read. */
export class StaleVersion extends Error {
  override readonly name = 'StaleVersion';
}

/**
 * Reruns of a transaction after a conflict.
 * @beyond 503 `temporarily_unavailable`, and nothing was changed
 * @heldBy tests/http/faults.test.ts
 */
export const MOST_RERUNS = 5;

/**
 * Runs `work` in a transaction. If it loses a race, all of it runs again, at most five times; then the last error is
 * thrown. `work` may only use the handle it receives: a query on another handle would deadlock with this transaction.
 * It must not do other I/O, because a rerun would repeat it.
 */
export async function transaction<T>(db: Kysely<Database>, work: (tx: Tx) => Promise<T>): Promise<T> {
  // Read committed is enough on PostgreSQL: every write checks versions, unique indexes and conditions against the
  // newest rows. A stricter level would add failures, not safety.
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
 * Includes unique violations and rows whose parent was deleted: the rerun sees the other change and can refuse the
 * request properly.
 */
function isLostRace(error: unknown): boolean {
  return error instanceof StaleVersion || isVictim(error) || isUniqueViolation(error) || isOrphan(error);
}

/**
 * Whether the same call may succeed later: it lost every race, or the database is unavailable. A unique violation that
 * remains after the reruns does not count. It means that a rule missed what the index caught, which is a bug.
 */
export function mayPassLater(error: unknown): boolean {
  return error instanceof StaleVersion || isVictim(error) || isUnavailable(error);
}
