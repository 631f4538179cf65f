import { REFRESH_TOKEN_LIMITS, SCOPE_SENTENCES } from '../../generated/server.ts';
import { ACCOUNT_PATHS } from '../links.ts';
import { endedIfLastUsedBy } from '../oauth/refresh-tokens.ts';
import { type Html, html, momentOf } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import { goTo } from '../site/site.ts';
import { type AllowedApplication, allowedApplications, endAccess } from '../store/consents.ts';
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
