import { statements } from '../statements.ts';

/**
 * Finds due timers by world, so that one world's backlog does not hide the timers of others, and the first timer of all
 * sandboxes. The condition for the live world is not an equality: SQLite would choose another index for it.
 */
export const up = statements(`
  drop index timers_by_real_due;
  create index timers_due_live on timers (real_due_at) where real_due_at is not null and not (world_id <> 'live');
  create index timers_due_in_sandbox on timers (world_id, real_due_at)
    where real_due_at is not null and world_id <> 'live';
  create index timers_due_in_sandboxes on timers (real_due_at) where real_due_at is not null and world_id <> 'live';
`);
