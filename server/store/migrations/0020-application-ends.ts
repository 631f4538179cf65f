import { type Kysely, sql } from 'kysely';

/** An application can be deleted. The indexes find what it has left; those of sandboxes go with their worlds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['authorization_codes', 'refresh_tokens', 'access_tokens', 'consents']) {
    await db.schema
      .createIndex(`${table}_of_application`)
      .on(table)
      .column('application_id')
      // without a condition SQLite would take it for what a passenger allowed one application
      .where(sql<boolean>`application_id > ''`)
      .execute();
  }
  await db.schema
    .createIndex('live_events_of_application')
    .on('events')
    .columns(['application_id', 'event_id'])
    // not an equation: SQLite would take another index for that
    .where(sql<boolean>`not (world_id <> 'live')`)
    .execute();
}
