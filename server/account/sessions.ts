import type { Passenger } from '../domain/passenger.ts';
import { ACCOUNT_PATHS } from '../links.ts';
import { type Html, html, momentOf, NOTHING } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import { type Site, signOutEverywhere } from '../site/site.ts';
import { type Session, sessionsOf } from '../store/sessions.ts';
import { OF_PASSENGERS } from '../store/sign-in-tables.ts';
import type { Section } from './section.ts';

/**
 * Sessions on the page and in the export.
 * @beyond only the latest are listed; signing out everywhere still ends all
 * @heldBy tests/account/account.test.ts
 */
export const MOST_SESSIONS_LISTED = 50;

export function sessionsSection({ store }: Pick<Parts, 'store'>, site: Site<Passenger>): Section {
  return {
    path: ACCOUNT_PATHS.sessions,
    show: async ({ account, session, visitor, ownForm }) => {
      const range = { at: visitor.realNow, limit: MOST_SESSIONS_LISTED };
      const sessions = await sessionsOf(store.db, OF_PASSENGERS, account.id, range);
      return {
        lead: html`Browsers signed in to your account, most recent first.`,
        body: html`<table>
        <caption>Browsers</caption>
        <thead><tr><th scope="col">Signed in</th><th scope="col">Signed in until</th></tr></thead>
        <tbody>${sessions.map((each) => row(each, each.tokenHash === session.tokenHash))}</tbody>
      </table>
      <p>You can sign out in all browsers at once, including this one. Apps keep their access. To remove it, go to
      <a href="${ACCOUNT_PATHS.applications}">Apps</a>.</p>
      ${ownForm(html`<div class="buttons"><button class="primary">Sign out everywhere</button></div>`)}`,
      };
    },
    submit: signOutEverywhere({ store }, site),
  };
}

function row({ signedInAt, expiresAt }: Session, isThis: boolean): Html {
  const here = isThis ? html`<br><strong>This browser</strong>` : NOTHING;
  return html`<tr><td>${momentOf(signedInAt)}${here}</td><td>${momentOf(expiresAt)}</td></tr>`;
}
