import type { Kysely } from 'kysely';

/** An application shows since when none of its live webhooks has arrived. Those that fail now begin to count now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('applications').addColumn('webhook_failing_since', 'bigint').execute();
}
