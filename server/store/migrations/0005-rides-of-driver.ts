import { statements } from '../statements.ts';

/** Searches for recent rides now use the drivers near a point instead of the whole world. */
export const up = statements(`
  drop index rides_by_finish;
  create index rides_of_driver on rides (world_id, driver_id, finished_at)
    where active = 0 and driver_id is not null;
`);
