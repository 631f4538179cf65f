import { statements } from '../statements.ts';

/**
 * Passengers can see which applications they have allowed, and can delete their account. A departure is a passenger, or
 * a stand-in in a sandbox, who has left but whose rides are not processed yet. The indexes find the passenger's other
 * data. The application of a silent ride gets no further information about it.
 */
export const up = statements(`
  create table consents (
    passenger_id text not null, application_id text not null,
    first_allowed_at bigint not null, last_allowed_at bigint not null,
    constraint consents_pkey primary key (passenger_id, application_id)
  );
  create table departures (
    world_id text not null, passenger_id text not null, left_at bigint not null,
    constraint departures_pkey primary key (world_id, passenger_id)
  );
  alter table rides add column silent integer default 0 not null;
  create index codes_of_passenger on authorization_codes (passenger_id);
  create index passengers_by_id on passengers (id);
`);
