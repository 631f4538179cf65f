import { sql } from 'kysely';
import type { Store } from '../../server/store/open.ts';

/** A place where transactions wait for each other: nobody goes on before so many have come. */
export function meetingOf(size: number): () => Promise<void> {
  let come = 0;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    come++;
    if (come === size) open();
    return opened;
  };
}

/** Resolves when, on PostgreSQL, so many who would change a row of this table wait for another transaction of this test. */
export async function untilSomebodyWaits(store: Store, table: string, count = 1): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*) as waiting from pg_stat_activity
      where wait_event_type = 'Lock'
        and (query like ${`update "${table}"%`} or query like ${`select % from "${table}" % for update`})
        and cardinality(pg_blocking_pids(pid)) > 0
        and pid in (select pid from pg_locks where relation = to_regclass(${table}))`.execute(store.db);
    if (rows[0]!.waiting >= count) return;
  }
}
