import { sql, type Transaction } from 'kysely';
import { onTestFinished, vi } from 'vitest';
import { SECOND_MS } from '../../server/domain/time.ts';
import type { Store } from '../../server/store/engine/open.ts';
import type { Database } from '../../server/store/schema.ts';
import { transaction } from '../../server/store/transaction.ts';
import { newLatch } from '../support/latch.ts';

const LONGEST_WAIT_MS = 30 * SECOND_MS;
const LOOK_AGAIN_MS = 10;

/** A barrier for transactions: each waits until this many have arrived. */
export function meetingOf(size: number): () => Promise<void> {
  const { promise, open } = newLatch();
  let arrived = 0;
  return () => {
    arrived++;
    if (arrived === size) open();
    return promise;
  };
}

/**
 * Lets a store's transactions wait for a locked row in order of arrival, until it is free. Otherwise, they give their
 * connection back in between, and their order is open.
 */
export function waitInLine(store: Store): void {
  const waiting = vi.spyOn(store, 'transaction').mockImplementation((work) => transaction(store.db, work));
  onTestFinished(() => waiting.mockRestore());
}

/**
 * On PostgreSQL, resolves when this many statements that use the table wait for a lock. Rejects with an Error after 30
 * seconds.
 */
export async function waitForBlockedQueries(store: Store, table: string, count = 1): Promise<void> {
  const check = async () => {
    const { rows } = await sql<{ blocked: number }>`
      select count(*) as blocked from pg_stat_activity
      where wait_event_type = 'Lock' and cardinality(pg_blocking_pids(pid)) > 0
        and pid in (select pid from pg_locks where relation = to_regclass(${table}))`.execute(store.db);
    const { blocked } = rows[0]!;
    if (blocked < count) throw new Error(`${blocked} of ${count} queries wait for a lock on ${table}.`);
  };
  await vi.waitFor(check, { timeout: LONGEST_WAIT_MS, interval: LOOK_AGAIN_MS });
}

/** Starts `other` after `work` but before its transaction commits. On PostgreSQL, `other` waits for a row lock. */
export async function meanwhile(
  store: Store,
  table: string,
  work: (tx: Transaction<Database>) => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<void> {
  let running: Promise<unknown> | undefined;
  await store.transaction(async (tx) => {
    await work(tx);
    running ??= other();
    // it can fail before this transaction is on disk
    running.catch(() => {});
    if (store.engine === 'postgres') await waitForBlockedQueries(store, table);
  });
  await running;
}

/** The reason why a call fails. Rejects if it does not. */
export function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => {
      throw new Error('The call did not fail.');
    },
    (error: unknown) => error,
  );
}
