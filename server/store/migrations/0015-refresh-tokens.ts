import { type Kysely, sql } from 'kysely';
import { statements } from '../statements.ts';

/**
 * Records when a refresh token was last used, and its successor if the application rotates its tokens. Existing tokens
 * count as used now. Two applications could share a sandbox, because its id was ambiguous: it joined its parts with a
 * space. The application that did not create the sandbox loses its tokens for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await changeTables(db);
  await sql`update refresh_tokens set last_used_at = ${Date.now()}`.execute(db);
  for (const table of ['access_tokens', 'refresh_tokens']) {
    await sql`
      delete from ${sql.table(table)} as token where exists (
        select 1 from worlds where worlds.id = token.world_id and worlds.application_id <> token.application_id
      )
    `.execute(db);
  }
}

const changeTables = statements(`
  alter table applications add column rotates_refresh_tokens integer default 0 not null;
  alter table refresh_tokens add column last_used_at bigint default 0 not null;
  alter table refresh_tokens add column current_hash text;
  alter table refresh_tokens add column previous_hash text;
  alter table refresh_tokens add column rotation_salt text;
  alter table refresh_tokens add column rotated_at bigint;
  create index refresh_tokens_by_last_use on refresh_tokens (last_used_at);
`);
