import { statements } from '../statements.ts';

/** The last code sent to a passenger to verify a phone number. */
export const up = statements(`
  create table phone_codes (
    world_id text not null, passenger_id text not null, phone_number text not null, code_hash text not null,
    tries integer not null, expires_at bigint not null,
    constraint phone_codes_pkey primary key (world_id, passenger_id),
    constraint phone_codes_passenger foreign key (world_id, passenger_id)
      references passengers (world_id, id) on delete cascade
  );
  create index phone_codes_by_expiry on phone_codes (expires_at);
`);
