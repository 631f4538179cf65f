import { statements } from '../statements.ts';

export const up = statements(`
  alter table applications add column previous_verification_token text;
  alter table applications add column verification_token_changed_at bigint;

  create table events (
    event_id text not null primary key, world_id text not null, ride_id text not null, application_id text not null,
    type text not null, occurred_at bigint not null, environment text not null, body text not null,
    created_at bigint not null
  );
  create index events_of_application on events (application_id, created_at, event_id);
  create index events_by_age on events (created_at);
  create table attempts (
    event_id text not null, number integer not null, started_at bigint not null, duration_ms bigint not null,
    status integer, answer text, error text,
    constraint attempts_pkey primary key (event_id, number)
  );

  create table deliveries (
    event_id text not null primary key, application_id text not null, world_id text not null,
    status text not null, attempts integer not null, earlier_attempts integer not null,
    schedule_anchor bigint, due_at bigint not null, real_due_at bigint, last_ended_at bigint,
    lease_owner text, lease_until bigint
  );
  create index deliveries_due on deliveries (application_id, real_due_at)
    where status = 'pending' and real_due_at is not null;
  create index deliveries_of_world on deliveries (world_id, due_at, event_id) where status = 'pending';
  create index deliveries_leased on deliveries (lease_owner) where lease_owner is not null;
`);
