import { statements } from '../statements.ts';

/**
 * An email has one link at a time. A new link replaces the previous one, even when two are created concurrently. Of
 * several existing links, the one that expires last stays.
 */
export const up = statements(`
  delete from developer_links where exists (
    select 1 from developer_links as later where later.email = developer_links.email
    and (later.expires_at, later.token_hash) > (developer_links.expires_at, developer_links.token_hash)
  );
  drop index developer_links_of_email;
  create unique index developer_links_of_email on developer_links (email);
`);
