import { type Kysely, sql } from 'kysely';

/**
 * Records when a refresh token was last used, and its successor if the application rotates its tokens. Existing tokens
 * count as used now. Two applications could share a sandbox, because its id was ambiguous: it joined its parts with a
 * space. The application that did not create the sandbox loses its tokens for it.
 */
export async function up(db: Kysely<RefreshTokens>): Promise<void> {
  await db.schema
    .alterTable('applications')
    .addColumn('rotates_refresh_tokens', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('refresh_tokens')
    .addColumn('last_used_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.updateTable('refresh_tokens').set({ last_used_at: Date.now() }).execute();
  for (const name of ['current_hash', 'previous_hash', 'rotation_salt']) {
    await db.schema.alterTable('refresh_tokens').addColumn(name, 'text').execute();
  }
  await db.schema.alterTable('refresh_tokens').addColumn('rotated_at', 'bigint').execute();
  await db.schema.createIndex('refresh_tokens_by_last_use').on('refresh_tokens').column('last_used_at').execute();
  for (const table of ['access_tokens', 'refresh_tokens']) {
    await sql`
      delete from ${sql.table(table)} as token where exists (
        select 1 from worlds where worlds.id = token.world_id and worlds.application_id <> token.application_id
      )
    `.execute(db);
  }
}

/** Only the column that this migration uses. */
interface RefreshTokens {
  refresh_tokens: { last_used_at: number };
}
