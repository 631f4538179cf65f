import { type Kysely, sql } from 'kysely';

/** Finds due timers by world, so that one world's backlog does not hide the timers of others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('timers_by_real_due').execute();
  await index(db, 'timers_due_live', ['real_due_at'])
    // not an equality: SQLite would choose another index for it
    .where(sql<boolean>`real_due_at is not null and not (world_id <> 'live')`)
    .execute();
  await index(db, 'timers_due_in_sandbox', ['world_id', 'real_due_at'])
    .where(sql<boolean>`real_due_at is not null and world_id <> 'live'`)
    .execute();
  // finds the first timer of all sandboxes
  await index(db, 'timers_due_in_sandboxes', ['real_due_at'])
    .where(sql<boolean>`real_due_at is not null and world_id <> 'live'`)
    .execute();
}

function index(db: Kysely<unknown>, name: string, columns: string[]) {
  return db.schema.createIndex(name).on('timers').columns(columns);
}
