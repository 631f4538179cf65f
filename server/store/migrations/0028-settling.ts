import { statements } from '../statements.ts';

/**
 * Remembers how far the due times of a large world follow its latest clock. Lets queries read in order the timers and the
 * deliveries of a world that are due at the same time, which all of a frozen world can be. Settling rides goes by passenger
 * now, so it starts over. Finds the grants of a passenger to one application, and whose default sandbox a world is. The
 * table that every call reads changes last.
 */
export const up = statements(`
  drop index timers_by_due;
  create index timers_by_due on timers (world_id, due_at, kind, subject_id);
  alter table deliveries add column occurred_at bigint default 0 not null;
  drop index deliveries_of_world;
  create index deliveries_of_world on deliveries (world_id, due_at, occurred_at, event_id) where status = 'pending';
  drop index access_grants_of_passenger;
  create index access_grants_of_passenger on access_grants (world_id, passenger_id, application_id, expires_at);
  create index applications_by_sandbox on applications (sandbox_world_id);
  alter table worlds add column clock_settled_to text;
  update worlds set rides_unsettled_after = '' where rides_unsettled_after is not null;
`);
