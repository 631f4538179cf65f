import { type Kysely, sql } from 'kysely';

/** Applications can be deleted. The indexes find the data they leave behind; sandbox data is deleted with its world. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['authorization_codes', 'refresh_tokens', 'access_tokens', 'consents']) {
    await db.schema
      .createIndex(`${table}_of_application`)
      .on(table)
      .column('application_id')
      // without a condition, SQLite would choose this index to look up one passenger's consent to an application
      .where(sql<boolean>`application_id > ''`)
      .execute();
  }
  await db.schema
    .createIndex('live_events_of_application')
    .on('events')
    .columns(['application_id', 'event_id'])
    // not an equality: SQLite would choose another index for it
    .where(sql<boolean>`not (world_id <> 'live')`)
    .execute();
}
