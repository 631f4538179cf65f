import type { Router } from 'express';
import { demoAccounts } from '../consent/views/sign-in.ts';
import type { Passenger } from '../domain/passenger.ts';
import { browserCookies } from '../http/browser.ts';
import type { CallsInTurn } from '../http/calls-at-once.ts';
import { ACCOUNT_PATHS } from '../links.ts';
import { html, NOTHING } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import { passengerAccounts } from '../sign-in/accounts.ts';
import type { PasswordCheck } from '../sign-in/password-check.ts';
import { passwordPage } from '../site/own-account.ts';
import { siteRouter } from '../site/router.ts';
import type { Site } from '../site/site.ts';
import type { DepartureParts } from '../workers/departures.ts';
import { applicationsSection } from './applications.ts';
import { dataSection } from './data.ts';
import { deletionSection } from './deletion.ts';
import { OVERVIEW } from './overview.ts';
import { paymentSection } from './payment.ts';
import { phoneSection } from './phone.ts';
import { SECTIONS, titled } from './section.ts';
import { sessionsSection } from './sessions.ts';

export function accountRouter(
  parts: Parts & DepartureParts,
  inTurn: Pick<CallsInTurn, 'readBody'>,
  checkPassword: PasswordCheck<Passenger>,
): Router {
  const accounts = passengerAccounts(parts);
  const site: Site<Passenger> = {
    ...{ name: 'Account', links: SECTIONS, paths: ACCOUNT_PATHS },
    ...{ accounts, cookies: browserCookies(parts, accounts.cookies), checkPassword },
    signIn: {
      title: 'Sign in to your account',
      lead: html`See your data and manage which apps have access to your account.`,
      demo: parts.hasDemo ? demoAccounts() : NOTHING,
      ways: html`<p class="quiet">New here? You can create an account the first time an app asks you to connect with Ridehail.</p>`,
    },
  };
  const password = {
    changed: '',
    lead: html`This signs you out in all other browsers. Apps keep their access. To remove it, go to
        <a href="${ACCOUNT_PATHS.applications}">Apps</a>.`,
  };
  const sections = [
    OVERVIEW,
    applicationsSection(parts),
    paymentSection(parts),
    phoneSection(parts),
    passwordPage(parts, site, password),
    sessionsSection(parts, site),
    dataSection(parts),
    deletionSection(parts, site),
  ];
  return siteRouter(parts, site, { pages: sections.map(titled) }, inTurn);
}
