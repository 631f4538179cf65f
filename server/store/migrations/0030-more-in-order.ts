import { statements } from '../statements.ts';

/**
 * Finds the sign-ins of an account in order, and the rides of a passenger that an application is told about without the
 * others. The table of rides first: the pages of accounts wait for the other one.
 */
export const up = statements(`
  create index rides_told on rides (passenger_id, application_id, requested_at) where silent = 0 and not (world_id <> 'live');
  drop index sessions_of_passenger;
  create index sessions_of_passenger on sessions (account_id, signed_in_at, token_hash);
`);
