import { statements } from '../statements.ts';

/** Adds the browsers that passengers signed in with, and an index to end all sessions of a passenger. */
export const up = statements(`
  create table devices (
    token_hash text not null primary key, passenger_id text not null,
    signed_in_at bigint not null, expires_at bigint not null
  );
  create index devices_of_passenger on devices (passenger_id, signed_in_at, token_hash);
  create index devices_by_expiry on devices (expires_at);
  create index sessions_of_passenger on sessions (passenger_id);
`);
