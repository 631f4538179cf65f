import { type InsertObject, type RawBuilder, sql } from 'kysely';
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

/** For `doUpdateSet`: sets these columns of an existing row to the values of the row that was to be inserted. */
export function excluded<Column extends string>(columns: readonly Column[]) {
  const values = columns.map((column) => [column, sql.ref(`excluded.${column}`)]);
  return Object.fromEntries(values) as Record<Column, RawBuilder<never>>;
}
