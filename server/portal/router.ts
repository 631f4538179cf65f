import type { RequestHandler, Router } from 'express';
import type { CallsInTurn } from '../http/calls-at-once.ts';
import { nothingHere, siteRouter } from '../site/router.ts';
import { accountPages } from './account/pages.ts';
import { type ApplicationParts, applicationPages } from './applications/pages.ts';
import { withLink } from './operator-link.ts';
import { setPasswordRoute } from './set-password.ts';
import { type PortalSignUpParts, signUpRoute } from './sign-up.ts';
import { type PortalSiteParts, portalSite } from './site.ts';

export function portalRouter(
  parts: ApplicationParts & PortalSiteParts & PortalSignUpParts,
  inTurn: Pick<CallsInTurn, 'outOfTurn'>,
): Router {
  const site = portalSite(parts);
  const rooms = {
    pages: [...applicationPages(parts), ...accountPages(parts, site)],
    signedOut: [signUpRoute(parts, site), setPasswordRoute(parts, site)],
    againAt: withLink,
  };
  return siteRouter(parts, site, rooms, inTurn).use(refuseUnknown);
}

const refuseUnknown: RequestHandler = () => {
  throw nothingHere();
};
