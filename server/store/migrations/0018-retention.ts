import { type Kysely, sql } from 'kysely';
import { statements } from '../statements.ts';

/** The name of the only signing key in earlier versions. */
const ONLY_KEY = 'price-tokens';

/**
 * Adds signing key rotation. The existing key becomes the first one, so its tokens and forms stay valid. The sweep gets
 * an index to find old live rides. Its condition is not an equality: SQLite would choose another index for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await statements(`
    create table signing_keys (number integer not null primary key, value text not null, made_at bigint not null)
  `)(db);
  const now = sql`cast(${Date.now()} as bigint)`;
  await sql`
    insert into signing_keys (number, value, made_at) select 1, value, ${now} from secrets where name = ${ONLY_KEY}
  `.execute(db);
  await statements(`
    drop table secrets;
    create index live_rides_by_finish on rides (finished_at, id)
      where finished_at is not null and not (world_id <> 'live');
  `)(db);
}
