import { statements } from '../statements.ts';

/**
 * Finds the sign-ins of an account in order, and the rides of a passenger that an application is told about without the
 * others.
 */
export const up = statements(`
  drop index sessions_of_passenger;
  create index sessions_of_passenger on sessions (account_id, signed_in_at, token_hash);
  create index rides_told on rides (passenger_id, application_id, requested_at) where silent = 0 and not (world_id <> 'live');
`);
