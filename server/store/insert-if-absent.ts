import type { InsertObject } from 'kysely';
import type { Database, Queries } from './schema.ts';

/** @returns whether the row was inserted; an existing row with the same key or unique value stays unchanged */
export async function insertIfAbsent<Table extends keyof Database>(
  db: Queries,
  table: Table,
  row: InsertObject<Database, Table>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto(table)
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}
