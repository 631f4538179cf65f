import { REFRESH_TOKEN_LIMITS, SCOPE_SENTENCES } from '../../generated/server.ts';
import { isStorable } from '../http/unstorable.ts';
import { ACCOUNT_PATHS } from '../links.ts';
import { endedIfLastUsedBy } from '../oauth/refresh-tokens.ts';
import { type Html, html, momentOf, NOTHING } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import { goTo } from '../site/site.ts';
import { type AllowedApplication, allowedApplications, endAccess } from '../store/consents.ts';
import type { AccountVisit, Section } from './section.ts';

/** Apps on a page. @beyond a link leads to more @heldBy tests/account/account.test.ts */
export const MOST_APPLICATIONS_LISTED = 20;

export function applicationsSection({ store }: Pick<Parts, 'store'>): Section {
  const path = ACCOUNT_PATHS.applications;
  return {
    path,
    show: async ({ account: passenger, visitor, query, done, ownForm }) => {
      const after = typeof query.after === 'string' && isStorable(query.after) ? query.after : '';
      const search = { at: visitor.realNow, endedIfLastUsedBy: endedIfLastUsedBy(visitor.realNow), after };
      // one extra, to know whether there are more
      const found = await allowedApplications(store.db, passenger.id, {
        ...search,
        limit: MOST_APPLICATIONS_LISTED + 1,
      });
      const allowed = found.slice(0, MOST_APPLICATIONS_LISTED);
      const last = found.length > allowed.length ? allowed.at(-1) : undefined;
      const none = html`<p>No ${after === '' ? '' : 'more '}apps have access to your account.</p>`;
      return {
        lead: html`Apps with access to your account.`,
        note: done === '' ? 'Access removed. The app has to ask you again before it can use your account.' : undefined,
        body: html`${allowed.length === 0 ? none : allowed.map((application) => card(application, ownForm))}
      ${last === undefined ? NOTHING : html`<p><a href="${path}?after=${last.id}">More</a></p>`}`,
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
  const access = html`<ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;
  const rest = html`<p>Its access has ended. Until you remove it, it is still told about a ride that it requested, until the ride is paid.</p>`;
  const button = html`<div class="buttons"><button>Remove access for ${name}</button></div>`;
  return html`<article>
        <h2>${name}</h2>
        ${scopes.length === 0 ? rest : access}
        <dl>
          <div><dt>Last allowed</dt><dd>${momentOf(lastAllowedAt)}</dd></div>
          ${scopes.length === 0 ? NOTHING : html`<div><dt>Access ends</dt><dd>${end}</dd></div>`}
        </dl>
        ${ownForm(button, { application_id: id })}
      </article>`;
}
