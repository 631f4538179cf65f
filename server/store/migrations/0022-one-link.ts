import { type Kysely, sql } from 'kysely';

/**
 * An email has one link at a time. A new link replaces the previous one, even when two are created concurrently. Of
 * several existing links, the one that expires last stays.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from developer_links where exists (
      select 1 from developer_links as later where later.email = developer_links.email
      and (later.expires_at, later.token_hash) > (developer_links.expires_at, developer_links.token_hash)
    )
  `.execute(db);
  await db.schema.dropIndex('developer_links_of_email').execute();
  await db.schema.createIndex('developer_links_of_email').unique().on('developer_links').column('email').execute();
}
