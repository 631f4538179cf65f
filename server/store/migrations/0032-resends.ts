import { statements } from '../statements.ts';

/**
 * Notes which events happened without a webhook URL, because sandboxes list only the others. Finds the deliveries
 * that the resend of a range has in hand.
 */
export const up = statements(`
  alter table events add column had_url integer default 1 not null;
  create index events_to_send on events (world_id, application_id, had_url, occurred_at, event_id)
    where world_id <> 'live';
  alter table deliveries add column resent integer default 0 not null;
  alter table deliveries add column turn integer default 0 not null;
  create index deliveries_in_turn on deliveries (application_id, world_id) where turn > 0;
  create table resends (
    application_id text not null references applications (id) on delete cascade,
    world_id text not null references worlds (id) on delete cascade,
    since bigint not null, until bigint not null, event_type text, failed_only integer not null,
    after_at bigint not null, after_id text not null, last_at bigint not null, last_id text not null,
    events integer not null, delivered integer not null, failed integer not null,
    started_at bigint not null, ended_at bigint, state text not null,
    constraint resends_pkey primary key (application_id, world_id)
  );
  create index resends_of_world on resends (world_id);
  create index resends_running on resends (state, application_id, world_id) where state = 'running';
  create unique index one_running_resend on resends (state, application_id) where state = 'running' and world_id <> 'live';
`);
