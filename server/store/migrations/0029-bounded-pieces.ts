import { statements } from '../statements.ts';

/**
 * Lets the sweep read in pieces what it has passed over, and find the tokens of one consent and unsettled worlds without
 * reading others. The list of a passenger's applications goes by consents, so older tokens get one. The table that every
 * call reads changes last.
 */
export const up = statements(`
  insert into consents (passenger_id, application_id, first_allowed_at, last_allowed_at)
    select passenger_id, application_id, min(issued_at), max(issued_at) from refresh_tokens
    where revoked_at is null and exists (select 1 from passengers where world_id = 'live' and id = refresh_tokens.passenger_id)
    group by passenger_id, application_id
    on conflict do nothing;
  drop index refresh_tokens_of_passenger;
  create index refresh_tokens_of_passenger on refresh_tokens (world_id, passenger_id, application_id);
  drop index codes_of_passenger;
  create index codes_of_passenger on authorization_codes (passenger_id, application_id);
  drop index passengers_by_use;
  create index passengers_by_use on passengers (last_used_at, world_id, id) where world_id <> 'live';
  drop index worlds_by_last_call;
  create index worlds_by_last_call on worlds (last_called_at, id);
  create index worlds_unsettled on worlds (id) where clock_unsettled = 1 or rides_unsettled_after is not null;
`);
