import type { By } from '../applications/by.ts';
import type { SitePage, Visit } from '../site/site.ts';
import type { Developer } from '../store/developers.ts';

export type PortalVisit = Visit<Developer>;

export type PortalPage = SitePage<Developer>;

export function byOf({ account, visitor: { network, realNow, audit } }: PortalVisit): By {
  return { developerId: account.id, network, realNow, audit };
}
