import { type Kysely, sql } from 'kysely';
import { statements } from '../statements.ts';

/**
 * Records when each sandbox was last called, and whether its reset or deletion is unfinished. Existing sandboxes count
 * as called now. The indexes let counts and sweeps avoid full table scans.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await changeTables(db);
  await sql`update worlds set last_called_at = ${Date.now()}`.execute(db);
}

const changeTables = statements(`
  alter table worlds add column ending text;
  alter table worlds add column last_called_at bigint default 0 not null;
  create index worlds_of_application on worlds (application_id);
  create index worlds_by_last_call on worlds (last_called_at);
  create index worlds_ending on worlds (ending) where ending is not null;
  create index refresh_tokens_by_revocation on refresh_tokens (revoked_at) where revoked_at is not null;
  drop index events_by_age;
  create index events_by_age on events (created_at, event_id);
  create index decisions_by_age on decisions (decided_at);
`);
