import { statements } from '../statements.ts';

/** The requests of applications, many in a row, compressed. */
export const up = statements(`
  create table request_batches (
    application_id text not null, number bigint not null, developer_id text not null, ended_at bigint not null,
    requests text not null, bodies text, primary key (application_id, number)
  );
  create index request_batches_by_end on request_batches (ended_at);
`);
