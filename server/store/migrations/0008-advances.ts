import type { Kysely } from 'kysely';

/** An advance of a clock that goes on with the next call: its target, world milliseconds UTC, and its length. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('worlds').addColumn('advance_until', 'bigint').execute();
  await db.schema.alterTable('worlds').addColumn('advance_by_ms', 'bigint').execute();
}
