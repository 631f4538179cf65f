import { type Kysely, sql } from 'kysely';

/**
 * Records when each sandbox was last called, and whether its reset or deletion is unfinished. Existing sandboxes count
 * as called now. The indexes let counts and sweeps avoid full table scans.
 */
export async function up(db: Kysely<Worlds>): Promise<void> {
  await db.schema.alterTable('worlds').addColumn('ending', 'text').execute();
  await db.schema
    .alterTable('worlds')
    .addColumn('last_called_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.updateTable('worlds').set({ last_called_at: Date.now() }).execute();
  await db.schema.createIndex('worlds_of_application').on('worlds').column('application_id').execute();
  await db.schema.createIndex('worlds_by_last_call').on('worlds').column('last_called_at').execute();
  await db.schema
    .createIndex('worlds_ending')
    .on('worlds')
    .column('ending')
    .where(sql<boolean>`ending is not null`)
    .execute();
  await db.schema
    .createIndex('refresh_tokens_by_revocation')
    .on('refresh_tokens')
    .column('revoked_at')
    .where(sql<boolean>`revoked_at is not null`)
    .execute();
  await db.schema.dropIndex('events_by_age').execute();
  await db.schema.createIndex('events_by_age').on('events').columns(['created_at', 'event_id']).execute();
  await db.schema.createIndex('decisions_by_age').on('decisions').column('decided_at').execute();
}

/** Only the column that this migration uses. */
interface Worlds {
  worlds: { last_called_at: number };
}
