import { statements } from '../statements.ts';

/** The column types work on both engines: SQLite reads `bigint` as an integer, and PostgreSQL needs all eight bytes. */
export const up = statements(`
  create table applications (
    id text not null primary key, name text not null, redirect_uri text not null,
    live_secret_hash text not null, sandbox_secret_hash text not null,
    webhook_url text, verification_token text not null,
    sandbox_world_id text not null, created_at bigint not null
  );
  create table worlds (
    id text not null primary key, kind text not null, application_id text, seed text not null,
    clock_real_anchor bigint not null, clock_world_anchor bigint not null, clock_running integer not null,
    auto_advance integer not null, id_counter bigint not null, created_at bigint not null
  );
  create table passengers (
    world_id text not null, id text not null, email text not null, password_hash text not null,
    first_name text not null, last_name text not null, image_url text, rating text,
    phone_number text, phone_verified integer not null, payment_method text,
    account_disabled integer not null, driver_mode integer not null, business_profile integer not null,
    has_taken_a_ride integer not null, created_at bigint not null,
    constraint passengers_pkey primary key (world_id, id)
  );
  create unique index one_passenger_per_email on passengers (world_id, email);
  create table secrets (name text not null primary key, value text not null);

  create table access_tokens (
    token_hash text not null primary key, application_id text not null, passenger_id text, world_id text not null,
    scopes text not null, issued_at bigint not null, expires_at bigint not null,
    refresh_token_hash text, code_hash text, revoked_at bigint
  );
  create index access_tokens_by_refresh_token on access_tokens (refresh_token_hash);
  create index access_tokens_by_code on access_tokens (code_hash);
  create index access_tokens_by_expiry on access_tokens (expires_at);
  create table refresh_tokens (
    token_hash text not null primary key, application_id text not null, passenger_id text not null,
    world_id text not null, scopes text not null, code_hash text, issued_at bigint not null, revoked_at bigint
  );
  create index refresh_tokens_by_code on refresh_tokens (code_hash);
  create table authorization_codes (
    code_hash text not null primary key, application_id text not null, passenger_id text not null,
    scopes text not null, redirect_uri text, code_challenge text,
    issued_at bigint not null, expires_at bigint not null, used_at bigint
  );
  create index authorization_codes_by_expiry on authorization_codes (expires_at);

  create table rides (
    world_id text not null, id text not null, version integer not null,
    application_id text not null, passenger_id text not null, driver_id text,
    status text not null, active integer not null, ride_type text not null,
    requested_at bigint not null, finished_at bigint, document text not null,
    constraint rides_pkey primary key (world_id, id)
  );
  create unique index one_active_ride on rides (world_id, passenger_id) where active = 1;
  create unique index one_ride_per_driver on rides (world_id, driver_id) where active = 1 and driver_id is not null;
  create index rides_of_passenger on rides (world_id, passenger_id, requested_at);
  create index rides_by_finish on rides (world_id, finished_at);
  create table used_cost_tokens (
    world_id text not null, id text not null, used_at bigint not null,
    constraint used_cost_tokens_pkey primary key (world_id, id)
  );

  create table timers (
    world_id text not null, kind text not null, subject_id text not null,
    due_at bigint not null, real_due_at bigint, lease_until bigint,
    constraint timers_pkey primary key (world_id, kind, subject_id)
  );
  create index timers_by_real_due on timers (real_due_at);
  create index timers_by_due on timers (world_id, due_at);
  create index timers_leased on timers (lease_until) where lease_until is not null;
`);
