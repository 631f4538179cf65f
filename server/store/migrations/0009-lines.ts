import { statements } from '../statements.ts';

/**
 * Finds pending deliveries by line: those of an application in the live world, or those of a sandbox. The condition of
 * the first is not an equality: SQLite would choose the index on worlds for it. Finds sandbox events in list order; no
 * one lists the events of the live world, which has far more of them. Drops an index that no query used.
 */
export const up = statements(`
  drop index deliveries_due;
  create index deliveries_due_live on deliveries (application_id, real_due_at)
    where status = 'pending' and real_due_at is not null and not (world_id <> 'live');
  create index deliveries_due_in_sandbox on deliveries (world_id, real_due_at)
    where status = 'pending' and real_due_at is not null and world_id <> 'live';
  drop index events_of_application;
  create index events_of_sandbox on events (world_id, application_id, occurred_at, event_id)
    where world_id <> 'live';
`);
