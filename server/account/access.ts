import { REFRESH_TOKEN_LIMITS, SCOPE_SENTENCES } from '../../generated/server.ts';
import type { Passenger } from '../domain/passenger.ts';
import { ACCOUNT_PATHS } from '../links.ts';
import { endedIfLastUsedBy } from '../oauth/refresh-tokens.ts';
import { type Html, html, momentOf, NOTHING } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import { goTo, type Site, signOutEverywhere } from '../site/site.ts';
import { type AllowedApplication, allowedApplications, endAccess } from '../store/consents.ts';
import { type Session, sessionsOf } from '../store/sessions.ts';
import { OF_PASSENGERS } from '../store/sign-in-tables.ts';
import type { AccountVisit, Section } from './section.ts';

export function applicationsSection({ store }: Pick<Parts, 'store'>): Section {
  const path = ACCOUNT_PATHS.applications;
  return {
    path,
    show: async ({ account: passenger, visitor, done, ownForm }) => {
      const allowed = await allowedApplications(store.db, passenger.id, {
        at: visitor.realNow,
        endedIfLastUsedBy: endedIfLastUsedBy(visitor.realNow),
      });
      const none = html`<p>No apps have access to your account.</p>`;
      return {
        lead: html`Apps with access to your account.`,
        note: done === '' ? 'Access removed. The app has to ask you again before it can use your account.' : undefined,
        body: html`${allowed.length === 0 ? none : allowed.map((application) => card(application, ownForm))}`,
      };
    },
    submit: async ({ account: passenger, visitor, form, res }) => {
      const applicationId = form.text('application_id');
      const hasEnded = await store.transaction((tx) => endAccess(tx, passenger.id, visitor.realNow, applicationId));
      const result = hasEnded ? 'succeeded' : 'not_found';
      // an unknown ID is user input, so keep it out of the audit trail
      const application = hasEnded ? applicationId : null;
      visitor.audit({ event: 'access_revoked', result, application, passenger: passenger.id });
      return goTo(res, path, hasEnded ? '' : undefined);
    },
  };
}

function card({ id, name, scopes, lastAllowedAt, endsAt }: AllowedApplication, ownForm: AccountVisit['ownForm']): Html {
  const sentences = scopes.flatMap((scope) => SCOPE_SENTENCES[scope as keyof typeof SCOPE_SENTENCES] ?? []);
  const unused = html`after ${String(REFRESH_TOKEN_LIMITS.unusedDays)} days without use, or when you remove it`;
  const end = endsAt === null ? unused : momentOf(endsAt);
  const button = html`<div class="buttons"><button>Remove access for ${name}</button></div>`;
  return html`<article>
        <h2>${name}</h2>
        <ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>
        <dl>
          <div><dt>Last allowed</dt><dd>${momentOf(lastAllowedAt)}</dd></div>
          <div><dt>Access ends</dt><dd>${end}</dd></div>
        </dl>
        ${ownForm(button, { application_id: id })}
      </article>`;
}

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
