import { statements } from '../statements.ts';

/**
 * Finds the live events of an application in list order, also to delete them. Notes since when an application's live secret
 * may read them. The table that every call reads changes last.
 */
export const up = statements(`
  drop index live_events_of_application;
  create index live_events_of_application on events (application_id, occurred_at, event_id) where not (world_id <> 'live');
  alter table applications add column live_events_since bigint;
`);
