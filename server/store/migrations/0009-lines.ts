import { type Kysely, sql } from 'kysely';

/**
 * Finds pending deliveries by line: those of an application in the live world, or those of a sandbox. Finds sandbox
 * events in list order. Drops an index that no query used.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('deliveries_due').execute();
  await index(db, 'deliveries_due_live', 'deliveries', ['application_id', 'real_due_at'])
    // not an equality: SQLite would choose the index on worlds for it
    .where(sql<boolean>`status = 'pending' and real_due_at is not null and not (world_id <> 'live')`)
    .execute();
  await index(db, 'deliveries_due_in_sandbox', 'deliveries', ['world_id', 'real_due_at'])
    .where(sql<boolean>`status = 'pending' and real_due_at is not null and world_id <> 'live'`)
    .execute();
  await db.schema.dropIndex('events_of_application').execute();
  // no one lists the events of the live world, which has far more of them
  await index(db, 'events_of_sandbox', 'events', ['world_id', 'application_id', 'occurred_at', 'event_id'])
    .where(sql<boolean>`world_id <> 'live'`)
    .execute();
}

function index(db: Kysely<unknown>, name: string, table: string, columns: string[]) {
  return db.schema.createIndex(name).on(table).columns(columns);
}
