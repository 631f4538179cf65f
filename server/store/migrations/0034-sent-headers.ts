import { statements } from '../statements.ts';

/**
 * Stores what differs between the requests of attempts, so that the portal can show their headers. Finds the events of an
 * application that were not delivered, also in the order of time where there are few.
 */
export const up = statements(`
  alter table attempts add column sent text;
  update deliveries set occurred_at = (select occurred_at from events where events.event_id = deliveries.event_id)
    where occurred_at = 0 and not (status in ('pending', 'delivered'));
  create index deliveries_not_made on deliveries (application_id, world_id, status, occurred_at, event_id)
    where not (status in ('pending', 'delivered'));
`);
