import { type Kysely, sql } from 'kysely';

/** The name of the only signing key in earlier versions. */
const ONLY_KEY = 'price-tokens';

/**
 * Adds signing key rotation. The existing key becomes the first one, so its tokens and forms stay valid. The sweep gets
 * an index to find old live rides.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('signing_keys')
    .addColumn('number', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('made_at', 'bigint', (column) => column.notNull())
    .execute();
  const key = await db.selectFrom('secrets').select('value').where('name', '=', ONLY_KEY).executeTakeFirst();
  if (key !== undefined) {
    await db.insertInto('signing_keys').values({ number: 1, value: key.value, made_at: Date.now() }).execute();
  }
  await db.schema.dropTable('secrets').execute();
  await db.schema
    .createIndex('live_rides_by_finish')
    .on('rides')
    .columns(['finished_at', 'id'])
    // not an equality: SQLite would choose another index for it
    .where(sql<boolean>`finished_at is not null and not (world_id <> 'live')`)
    .execute();
}

/** Only the columns that this migration uses. */
interface Tables {
  secrets: { name: string; value: string };
  signing_keys: { number: number; value: string; made_at: number };
}
