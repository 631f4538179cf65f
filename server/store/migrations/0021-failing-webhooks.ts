import type { Kysely } from 'kysely';

/**
 * An application shows since when all its live webhooks have failed. Applications that already fail start counting now.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('applications').addColumn('webhook_failing_since', 'bigint').execute();
}
