import { type Kysely, sql } from 'kysely';

/** Searches for recent rides now use the drivers near a point instead of the whole world. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('rides_by_finish').execute();
  await db.schema
    .createIndex('rides_of_driver')
    .on('rides')
    .columns(['world_id', 'driver_id', 'finished_at'])
    .where(sql<boolean>`active = 0 and driver_id is not null`)
    .execute();
}
