import { CompiledQuery } from 'kysely';
import type { Store } from '../../server/store/open.ts';
import type { Database } from '../../server/store/schema.ts';

const ROWS_IN_A_STATEMENT = 200;
const ROWS_IN_A_TRANSACTION = 10_000;
/** Parallel transactions: PostgreSQL runs each in its own process. */
const SIDE_BY_SIDE = { sqlite: 1, postgres: 3 } as const;

/**
 * Inserts many rows. Compiles each statement only once, because that takes longer than running it.
 * @param rowOf makes the row with this number; all rows have the same columns, in the same order
 * @param tell receives the number of rows inserted so far
 */
export async function insertMany<Table extends keyof Database>(
  store: Store,
  table: Table,
  count: number,
  rowOf: (number: number) => object,
  tell: (inserted: number) => void = () => {},
): Promise<void> {
  const statements = new Map<number, string>();
  const statementFor = (rows: readonly object[]): CompiledQuery => {
    const known = statements.get(rows.length);
    if (known !== undefined) return CompiledQuery.raw(known, rows.flatMap(Object.values));
    const compiled = store.db
      .insertInto<keyof Database>(table)
      .values(rows as never)
      .compile();
    statements.set(rows.length, compiled.sql);
    return compiled;
  };
  let begun = 0;
  let inserted = 0;
  const work = async () => {
    while (begun < count) {
      const [from, to] = [begun, Math.min(count, begun + ROWS_IN_A_TRANSACTION)];
      begun = to;
      await store.transaction(async (tx) => {
        for (let at = from; at < to; at += ROWS_IN_A_STATEMENT) {
          const length = Math.min(ROWS_IN_A_STATEMENT, to - at);
          await tx.executeQuery(statementFor(Array.from({ length }, (_, i) => rowOf(at + i))));
        }
      });
      inserted += to - from;
      tell(inserted);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE[store.engine] }, work));
}
