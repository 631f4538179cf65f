import { statements } from '../statements.ts';

/**
 * Remembers how far the due times of a large world follow its latest clock. Lets queries read in order the timers and the
 * deliveries of a world that are due at the same time, which all of a frozen world can be. Settling rides goes by passenger
 * now, so it starts over.
 */
export const up = statements(`
  alter table worlds add column clock_settled_to text;
  update worlds set rides_unsettled_after = '' where rides_unsettled_after is not null;
  drop index timers_by_due;
  create index timers_by_due on timers (world_id, due_at, kind, subject_id);
  alter table deliveries add column occurred_at bigint default 0 not null;
  update deliveries set occurred_at = (select occurred_at from events where events.event_id = deliveries.event_id)
    where status = 'pending';
  drop index deliveries_of_world;
  create index deliveries_of_world on deliveries (world_id, due_at, occurred_at, event_id) where status = 'pending';
`);
