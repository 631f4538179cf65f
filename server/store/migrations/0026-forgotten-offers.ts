import { statements } from '../statements.ts';

/** After the deletion of a developer, no log says that an application was offered to them. Finds these entries. */
export const up = statements(
  "create index application_log_offers on application_log (detail) where action = 'transfer_offered'",
);
