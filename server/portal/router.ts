import type { ErrorRequestHandler, RequestHandler, Router } from 'express';
import { DEMO, DEMO_DEVELOPER } from '../demo.ts';
import { own } from '../domain/own.ts';
import { browserCookies } from '../http/browser.ts';
import type { CallsInTurn } from '../http/calls-at-once.ts';
import { refusalOf } from '../http/failures.ts';
import { IN_PORTAL, PORTAL_PATHS } from '../links.ts';
import { type Html, html, NOTHING } from '../pages/page.ts';
import type { Parts, PortalSignUp } from '../parts.ts';
import { developerAccounts } from '../sign-in/accounts.ts';
import { answerFailure, canShow } from '../sign-in/failure-page.ts';
import { passwordCheck } from '../sign-in/password-check.ts';
import { nothingHere, siteRouter } from '../site/router.ts';
import type { Link, Site } from '../site/site.ts';
import type { Developer } from '../store/developers.ts';
import { accountPages } from './account/pages.ts';
import { deliveriesPage } from './applications/deliveries.ts';
import { deliveryPage } from './applications/delivery.ts';
import { logPage } from './applications/log.ts';
import { newPage } from './applications/new.ts';
import { applicationPage, listPage } from './applications/overview.ts';
import { redirectUrisPage } from './applications/redirect-uris.ts';
import { requestsPage } from './applications/requests.ts';
import { secretsPage } from './applications/secrets.ts';
import { settingsPage } from './applications/settings.ts';
import { timelinePage } from './applications/timeline.ts';
import { type WebhookParts, webhooksPage } from './applications/webhooks.ts';
import { withLink } from './operator-link.ts';
import { APPLICATIONS } from './page.ts';
import { setPasswordRoute } from './set-password.ts';
import { signUpRoute } from './sign-up.ts';

/**
 * Field of a form in the portal. Fits several redirect URIs or a long webhook URL.
 * @beyond the form returns with an error
 * @heldBy tests/site/site.test.ts
 */
const MOST_FIELD_CHARACTERS = 8000;

export function portalRouter(parts: Parts & WebhookParts, inTurn: Pick<CallsInTurn, 'readBody'>): Router {
  const site = portalSite(parts);
  const pages = [
    listPage(parts),
    newPage(parts),
    applicationPage(parts),
    redirectUrisPage(parts),
    webhooksPage(parts),
    deliveriesPage(parts),
    deliveryPage(parts),
    timelinePage(parts),
    secretsPage(parts),
    settingsPage(parts, site),
    requestsPage(parts),
    logPage(parts),
    ...accountPages(parts, site),
  ];
  const signedOut = [signUpRoute(parts, site), setPasswordRoute(parts, site)];
  return siteRouter(parts, site, { pages, signedOut, againAt: withLink }, inTurn).use(refuseUnknown);
}

const refuseUnknown: RequestHandler = () => {
  throw nothingHere();
};

const LINKS: readonly Link[] = [
  { path: PORTAL_PATHS.overview, label: APPLICATIONS },
  { path: PORTAL_PATHS.account, label: 'Account' },
  { path: '/docs', label: 'Docs' },
];

function portalSite(parts: Parts): Site<Developer> {
  const accounts = developerAccounts(parts);
  return {
    ...{ name: 'Portal', links: LINKS, paths: PORTAL_PATHS },
    ...{ accounts, cookies: browserCookies(parts, accounts.cookies), checkPassword: passwordCheck(parts, accounts) },
    ...{ mostFieldCharacters: MOST_FIELD_CHARACTERS, repeatsStrangeForms: true },
    signIn: {
      title: 'Sign in to the developer portal',
      lead: html`Create and manage applications that call the API. If you’re a passenger, <a href="/account">sign in to your account</a>.`,
      demo: parts.hasDemo ? DEMO_ACCOUNT : NOTHING,
      ways: html`<p>${WAYS_IN[parts.portalSignUp]}</p>
      <p class="quiet">Forgot your password? Ask the operator of this server for a link to set a new one.</p>`,
    },
  };
}

const WAYS_IN: Readonly<Record<PortalSignUp, Html>> = {
  open: html`New here? <a href="${PORTAL_PATHS.signUp}">Create an account</a>`,
  invite: html`New here? Ask the operator of this server for an invitation.`,
  off: html`New here? Ask the operator of this server for an account.`,
};

const DEMO_ACCOUNT = html`<p class="note">This is a development server. Sign in as the demo developer: <code>${DEMO_DEVELOPER.email}</code>. The
      password is <code>${DEMO.password}</code>.</p>`;

const TITLES: Readonly<Record<string, string>> = {
  not_found: 'Not found',
  method_not_allowed: 'Method not allowed',
  payload_too_large: 'This form is too large',
};

/** Answers errors of the portal as pages. */
export function answerPortalFailures({ logger }: Pick<Parts, 'logger'>): ErrorRequestHandler {
  return (thrown, req, res, next) => {
    if (!IN_PORTAL.test(req.path) || !canShow(thrown, res)) return next(thrown);
    const refusal = refusalOf(thrown, undefined, logger);
    const title = own(TITLES, refusal.code);
    const way = { beginning: PORTAL_PATHS.overview, linkText: 'Go to your applications' };
    answerFailure(req, res, refusal, { ...way, ...(title !== undefined && { title }) });
  };
}
