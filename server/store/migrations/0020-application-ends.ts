import { statements } from '../statements.ts';

/**
 * Applications can be deleted. The indexes find the data they leave behind; sandbox data is deleted with its world.
 * Without its condition, SQLite would choose the index to look up one passenger's consent to an application. The
 * condition for the live world is not an equality: SQLite would choose another index for it.
 */
export const up = statements(`
  create index authorization_codes_of_application on authorization_codes (application_id) where application_id > '';
  create index refresh_tokens_of_application on refresh_tokens (application_id) where application_id > '';
  create index access_tokens_of_application on access_tokens (application_id) where application_id > '';
  create index consents_of_application on consents (application_id) where application_id > '';
  create index live_events_of_application on events (application_id, event_id) where not (world_id <> 'live');
`);
