import { statements } from '../statements.ts';

/** Finds the pending deliveries in the sandboxes of an application that are due first. */
export const up = statements(`
  create index deliveries_due_in_sandboxes on deliveries (application_id, real_due_at)
    where status = 'pending' and real_due_at is not null and world_id <> 'live'
`);
