import { statements } from '../statements.ts';

/**
 * Adds the state of an unfinished clock advance, which the next call continues: its target, in world milliseconds UTC,
 * and its length. Also adds the progress of a change to a large world.
 */
export const up = statements(`
  alter table worlds add column advance_until bigint;
  alter table worlds add column advance_by_ms bigint;
  alter table worlds add column clock_unsettled integer default 0 not null;
  alter table worlds add column rides_unsettled_after text;
`);
