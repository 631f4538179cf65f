import { ACCOUNT_PATHS } from '../links.ts';
import { type Html, html, NOTHING } from '../pages/html.ts';
import { momentOf } from '../pages/moment.ts';
import type { Parts } from '../parts.ts';
import { formTo } from '../sign-in/views/form.ts';
import { deleteSignIns, type Session, sessionsOf } from '../store/sessions.ts';
import { OF_PASSENGERS } from '../store/sign-in-tables.ts';
import type { Section } from './section.ts';
import { leave } from './sign-in.ts';

/** Sessions that the page and the export list. A passenger with more can end them all the same. */
export const MOST_SESSIONS_LISTED = 50;

/** Where the passenger is signed in, and the end of all of it. */
export function sessionsSection({ store }: Pick<Parts, 'store'>): Section {
  const path = ACCOUNT_PATHS.sessions;
  return {
    path,
    title: 'Where you are signed in',
    label: 'Browsers',
    show: async ({ passenger, session, visitor }) => {
      const range = { at: visitor.realNow, limit: MOST_SESSIONS_LISTED };
      const sessions = await sessionsOf(store.db, OF_PASSENGERS, passenger.id, range);
      const button = html`<div class="buttons"><button class="primary">Sign out everywhere</button></div>`;
      return {
        lead: html`Each browser that is signed in, the latest first. Times are in UTC.`,
        body: html`<table>
        <caption>Browsers</caption>
        <thead><tr><th scope="col">Signed in</th><th scope="col">Ends</th></tr></thead>
        <tbody>${sessions.map((each) => row(each, each.tokenHash === session.tokenHash))}</tbody>
      </table>
      <p>Signing out everywhere ends all of them, this one too. Applications that you allowed keep their access: you
      end that at <a href="${ACCOUNT_PATHS.applications}">Applications</a>.</p>
      ${formTo(path, visitor.csrfToken(), button)}`,
      };
    },
    submit: async ({ passenger, visitor, cookies, res }) => {
      await store.transaction((tx) => deleteSignIns(tx, OF_PASSENGERS, passenger.id));
      visitor.audit({ event: 'signed_out_everywhere', result: 'succeeded', passenger: passenger.id });
      leave(res, cookies, 'everywhere');
      return undefined;
    },
  };
}

function row({ signedInAt, expiresAt }: Session, isThis: boolean): Html {
  const here = isThis ? html`<br><strong>This browser</strong>` : NOTHING;
  return html`<tr><td>${momentOf(signedInAt)}${here}</td><td>${momentOf(expiresAt)}</td></tr>`;
}
