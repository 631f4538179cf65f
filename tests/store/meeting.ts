import { sql } from 'kysely';
import type { Store } from '../../server/store/open.ts';
import { newLatch } from '../support/latch.ts';

/** A place where transactions wait for each other: nobody goes on before so many have come. */
export function meetingOf(size: number): () => Promise<void> {
  const { promise, open } = newLatch();
  let come = 0;
  return () => {
    come++;
    if (come === size) open();
    return promise;
  };
}

/** Resolves when, on PostgreSQL, so many who would change a row of this table wait for another transaction of this test. */
export async function untilSomebodyWaits(store: Store, table: string, count = 1): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*) as waiting from pg_stat_activity
      where wait_event_type = 'Lock'
        and (query like ${`update "${table}"%`} or query like ${`select % from "${table}" % for update%`})
        and cardinality(pg_blocking_pids(pid)) > 0
        and pid in (select pid from pg_locks where relation = to_regclass(${table}))`.execute(store.db);
    if (rows[0]!.waiting >= count) return;
  }
}
