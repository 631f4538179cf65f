import { type Kysely, sql } from 'kysely';

/**
 * Pending deliveries are now found by line: those of an application in the live world, or those in a sandbox. The events
 * of a sandbox are found in the order in which they are listed. No query used the index that this drops.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('deliveries_due').execute();
  await index(db, 'deliveries_due_live', 'deliveries', ['application_id', 'real_due_at'])
    // not an equation: SQLite would take the index of worlds for that
    .where(sql<boolean>`status = 'pending' and real_due_at is not null and not (world_id <> 'live')`)
    .execute();
  await index(db, 'deliveries_due_in_sandbox', 'deliveries', ['world_id', 'real_due_at'])
    .where(sql<boolean>`status = 'pending' and real_due_at is not null and world_id <> 'live'`)
    .execute();
  await db.schema.dropIndex('events_of_application').execute();
  // nobody lists the events of the live world, which are far more
  await index(db, 'events_of_sandbox', 'events', ['world_id', 'application_id', 'occurred_at', 'event_id'])
    .where(sql<boolean>`world_id <> 'live'`)
    .execute();
}

function index(db: Kysely<unknown>, name: string, table: string, columns: string[]) {
  return db.schema.createIndex(name).on(table).columns(columns);
}
