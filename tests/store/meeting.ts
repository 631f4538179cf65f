import { sql, type Transaction } from 'kysely';
import type { Store } from '../../server/store/open.ts';
import type { Database } from '../../server/store/schema.ts';
import { newLatch } from '../support/latch.ts';

/** A barrier for transactions: each waits until this many have arrived. */
export function meetingOf(size: number): () => Promise<void> {
  const { promise, open } = newLatch();
  let come = 0;
  return () => {
    come++;
    if (come === size) open();
    return promise;
  };
}

/** On PostgreSQL, resolves when this many statements that use the table wait for a lock. */
export async function untilSomebodyWaits(store: Store, table: string, count = 1): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*) as waiting from pg_stat_activity
      where wait_event_type = 'Lock' and cardinality(pg_blocking_pids(pid)) > 0
        and pid in (select pid from pg_locks where relation = to_regclass(${table}))`.execute(store.db);
    if (rows[0]!.waiting >= count) return;
  }
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
    if (store.engine === 'postgres') await untilSomebodyWaits(store, table);
  });
  await running;
}
