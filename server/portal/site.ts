import { DEMO, DEMO_DEVELOPER } from '../demo.ts';
import { browserCookies } from '../http/browser.ts';
import { PORTAL_PATHS } from '../links.ts';
import { type Html, html, NOTHING } from '../pages/html.ts';
import type { Parts, PortalSignUp } from '../parts.ts';
import { developerAccounts } from '../sign-in/accounts.ts';
import { passwordCheck } from '../sign-in/password-check.ts';
import type { Link, Site } from '../site/site.ts';
import type { Developer } from '../store/developers.ts';

/**
 * Field of a form in the portal. Fits several redirect URIs or a long webhook URL.
 * @beyond the form returns with an error
 * @heldBy tests/site/site.test.ts
 */
const MOST_FIELD_CHARACTERS = 8000;

export const APPLICATIONS = 'Apps';

const LINKS: readonly Link[] = [
  { path: PORTAL_PATHS.overview, label: APPLICATIONS },
  { path: PORTAL_PATHS.newApplication, label: 'New app' },
  { path: PORTAL_PATHS.account, label: 'Account' },
];

export type PortalSiteParts = Pick<Parts, 'store' | 'publicUrl' | 'signingKeys' | 'now' | 'logger' | 'throttles'> &
  Pick<Parts, 'rateLimitMultiplier' | 'refusedDevelopers' | 'hasDemo' | 'portalSignUp'>;

export function portalSite(parts: PortalSiteParts): Site<Developer> {
  const accounts = developerAccounts(parts);
  return {
    ...{ name: 'Portal', links: LINKS, paths: PORTAL_PATHS, isPortal: true },
    ...{ accounts, cookies: browserCookies(parts, accounts.cookies), checkPassword: passwordCheck(parts, accounts) },
    ...{ mostFieldCharacters: MOST_FIELD_CHARACTERS, repeatsStrangeForms: true },
    signIn: {
      title: 'Sign in to the developer portal',
      lead: html`Create and manage apps that call the API. If you’re a passenger, <a href="/account">sign in to your account</a>.`,
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
