import { PORTAL_PATHS } from '../../links.ts';
import { html } from '../../pages/html.ts';
import { momentOf } from '../../pages/moment.ts';
import type { Parts } from '../../parts.ts';
import { formTo } from '../../sign-in/views/form.ts';
import { deleteSignIns } from '../../store/sessions.ts';
import { OF_DEVELOPERS } from '../../store/sign-in-tables.ts';
import type { PortalPage } from '../page.ts';
import { leave } from '../sign-in.ts';

/** The developer's details. The form signs them out everywhere. */
export function overviewPage({ store }: Pick<Parts, 'store'>): PortalPage {
  const path = PORTAL_PATHS.account;
  return {
    path,
    show: ({ developer, session, csrfToken }) => ({
      title: 'Your account',
      lead: html`Signed in as ${developer.email}.`,
      current: 'Account',
      body: html`
      <dl class="facts">
        <div><dt>Email</dt><dd>${developer.email}</dd></div>
        <div><dt>Developer ID</dt><dd><code>${developer.id}</code></dd></div>
        <div><dt>Account created</dt><dd>${momentOf(developer.createdAt)}</dd></div>
        <div><dt>Signed in since</dt><dd>${momentOf(session.signedInAt)}</dd></div>
      </dl>
      <p class="quiet">To receive an app from another developer, give them your developer ID.</p>
      <h2 id="more">Settings</h2>
      <ul class="links" aria-labelledby="more">
        <li><a href="${PORTAL_PATHS.password}"><strong>Change your password</strong></a></li>
        <li><a href="${PORTAL_PATHS.deletion}"><strong>Delete your account</strong></a></li>
      </ul>
      <h2>Sessions</h2>
      <p>You can sign out in all browsers at once, including this one.</p>
      ${formTo(path, csrfToken(), html`<div class="buttons"><button>Sign out everywhere</button></div>`)}`,
    }),
    submit: async ({ developer, visitor, cookies, res }) => {
      await store.transaction((tx) => deleteSignIns(tx, OF_DEVELOPERS, developer.id));
      visitor.audit({ event: 'developer_sign_out', result: 'everywhere', developer: developer.id });
      leave(res, cookies, 'everywhere');
      return undefined;
    },
  };
}
