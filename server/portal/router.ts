import type { RequestHandler, Router } from 'express';
import type { CallsInTurn } from '../http/calls-at-once.ts';
import { nothingHere, siteRouter } from '../site/router.ts';
import { accountPages } from './account/pages.ts';
import { type ApplicationParts, applicationPages } from './applications/pages.ts';
import { withLink } from './operator-link.ts';
import { setPasswordDoor } from './set-password.ts';
import { type PortalSignUpParts, signUpDoor } from './sign-up.ts';
import { type PortalSiteParts, portalSite } from './site.ts';

/** The developer portal. Pages are for signed-in developers, doors for everyone else. */
export function portalRouter(
  parts: ApplicationParts & PortalSiteParts & PortalSignUpParts,
  inTurn: Pick<CallsInTurn, 'outOfTurn'>,
): Router {
  const site = portalSite(parts);
  const rooms = {
    pages: [...applicationPages(parts), ...accountPages(parts, site)],
    doors: [signUpDoor(parts, site), setPasswordDoor(parts, site)],
    againAt: withLink,
  };
  return siteRouter(parts, site, rooms, inTurn).use(refuseUnknown);
}

const refuseUnknown: RequestHandler = () => {
  throw nothingHere();
};
