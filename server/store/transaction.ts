import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { rowsOf } from './engine/changes.ts';
import { LONGEST_LOCK_WAIT_MS } from './engine/connections.ts';
import { hasRowLocks } from './engine/dialect.ts';
import { isLockTimeout, isOrphan, isUnavailable, isUniqueViolation, isVictim } from './engine/errors.ts';
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
 * Waiting for a row that another transaction has locked, with something that many share in hand: a connection, a turn of
 * the step gate, or the sandboxes whose webhook results are recorded together.
 * @beyond it is given back, and the transaction runs again after a pause; when that took LONGEST_LOCK_WAIT_MS, it is a
 *   503 `temporarily_unavailable`
 * @heldBy tests/http/crowded.test.ts
 */
const BRIEF_LOCK_WAIT_MS = 25;

/** @beyond the transaction runs again @heldBy tests/http/crowded.test.ts */
const LONGEST_PAUSE_WHILE_LOCKED_MS = 4 * BRIEF_LOCK_WAIT_MS;

/** Work of a transaction that waits only briefly for a locked row. Then the transaction fails, see `whileLocked`. */
export function briefly<T>(work: (tx: Tx) => Promise<T>): (tx: Tx) => Promise<T> {
  return async (tx) => {
    // as a query: a statement in SQL would count as a change of anything, and empty caches
    if (hasRowLocks(tx))
      await rowsOf(tx, sql`select set_config('lock_timeout', ${sql.lit(`${BRIEF_LOCK_WAIT_MS}`)}, true)`);
    return work(tx);
  };
}

/**
 * Repeats what fails because of a locked row, after pauses in which it holds nothing. They grow only a little, because
 * calls that begin later compete for the row.
 */
export async function whileLocked<T>(attempt: () => Promise<T>): Promise<T> {
  let pauseMs = BRIEF_LOCK_WAIT_MS;
  for (let waitedMs = 0; ; waitedMs += BRIEF_LOCK_WAIT_MS + pauseMs) {
    try {
      return await attempt();
    } catch (error) {
      if (!isLockTimeout(error) || waitedMs >= LONGEST_LOCK_WAIT_MS) throw error;
    }
    await sleep(pauseMs);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_WHILE_LOCKED_MS);
  }
}

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
