import { statements } from '../statements.ts';

/**
 * The settings and the beginning of a world are JSON; null: the defaults. The indexes find the rows to delete with a
 * world. They omit the live world, which has far more rows and is never deleted.
 */
export const up = statements(`
  alter table worlds add column settings text;
  alter table worlds add column beginning text;
  alter table worlds add column resets integer default 0 not null;
  alter table applications add column worlds_made integer default 0 not null;
  alter table deliveries add column resend integer default 0 not null;
  create index events_of_ride on events (world_id, ride_id, event_id) where world_id <> 'live';
  create index access_tokens_of_world on access_tokens (world_id) where world_id <> 'live';
  create index refresh_tokens_of_world on refresh_tokens (world_id) where world_id <> 'live';
`);
