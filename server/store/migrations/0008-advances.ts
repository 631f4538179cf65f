import type { Kysely } from 'kysely';

/**
 * An advance of a clock that goes on with the next call: its target, world milliseconds UTC, and its length. And how far
 * a change of a big world has come.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('worlds').addColumn('advance_until', 'bigint').execute();
  await db.schema.alterTable('worlds').addColumn('advance_by_ms', 'bigint').execute();
  await db.schema
    .alterTable('worlds')
    .addColumn('clock_unsettled', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('worlds').addColumn('rides_unsettled_after', 'text').execute();
}
