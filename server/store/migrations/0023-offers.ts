import { statements } from '../statements.ts';

/**
 * An application can be offered to another developer, who accepts or declines. Where an application was transferred, the
 * log no longer shows who owned it before.
 */
export const up = statements(`
  alter table applications add column offered_to text;
  alter table applications add column offer_ends_at bigint;
  create index applications_offered on applications (offered_to) where offered_to is not null;
  update application_log set developer_id = 'other', network = null where developer_id is not null and exists (
    select 1 from application_log as later where later.application_id = application_log.application_id
    and later.number >= application_log.number and later.action = 'transferred'
  );
  update application_log set detail = null where action = 'transferred';
`);
