import type { RequestHandler, Router } from 'express';
import type { CallsInTurn } from '../http/calls-at-once.ts';
import type { Parts } from '../parts.ts';
import { nothingHere, siteRouter } from '../site/router.ts';
import { accountPages } from './account/pages.ts';
import { applicationPage } from './applications/application.ts';
import { listPage } from './applications/list.ts';
import { logPage } from './applications/log.ts';
import { type NewParts, newPage } from './applications/new.ts';
import { redirectUrisPage } from './applications/redirect-uris.ts';
import { secretsPage } from './applications/secrets.ts';
import { settingsPage } from './applications/settings.ts';
import { type WebhookParts, webhooksPage } from './applications/webhooks.ts';
import { withLink } from './operator-link.ts';
import type { PortalPage } from './page.ts';
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

type ApplicationParts = NewParts & WebhookParts & Pick<Parts, 'refusedDevelopers'>;

function applicationPages(parts: ApplicationParts): readonly PortalPage[] {
  return [
    listPage(parts),
    newPage(parts),
    applicationPage(parts),
    redirectUrisPage(parts),
    webhooksPage(parts),
    secretsPage(parts),
    settingsPage(parts),
    logPage(parts),
  ];
}
