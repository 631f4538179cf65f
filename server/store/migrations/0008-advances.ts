import type { Kysely } from 'kysely';

/**
 * Adds the state of an unfinished clock advance, which the next call continues: its target, in world milliseconds UTC,
 * and its length. Also adds the progress of a change to a large world.
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
