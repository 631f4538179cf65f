import { leaveDeveloper } from '../../developers/delete.ts';
import { PORTAL_PATHS } from '../../links.ts';
import { html, momentOf } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import { deletionPage, passwordPage } from '../../site/own-account.ts';
import { type Site, signOutEverywhere } from '../../site/site.ts';
import type { Developer } from '../../store/developers.ts';
import type { PortalPage } from '../page.ts';

export function accountPages(parts: Pick<Parts, 'store' | 'randomBytes'>, site: Site<Developer>): PortalPage[] {
  const password = {
    changed: 'changed',
    lead: html`This signs you out in all other browsers. Your applications’ secrets don’t change.`,
    current: 'Account',
  };
  return [overviewPage(parts, site), passwordPage(parts, site, password), leavingPage(parts, site)];
}

function leavingPage({ store }: Pick<Parts, 'store'>, site: Site<Developer>): PortalPage {
  return deletionPage(site, {
    lead: html`You can’t undo this. We delete your email, password and sessions right away.`,
    current: 'Account',
    consequences: html`<p>First, <a href="${PORTAL_PATHS.overview}">delete or transfer your applications</a>. The log of a transferred application
      keeps your changes, but not who made them.</p>`,
    remove: async (developer) => {
      const { outcome } = await store.transaction((tx) => leaveDeveloper(tx, developer, developer.passwordHash));
      if (outcome === 'owner') return { problem: 'You still have applications. Delete or transfer them first.' };
      return outcome === 'deleted' ? 'deleted' : 'stale';
    },
  });
}

function overviewPage(parts: Pick<Parts, 'store'>, site: Site<Developer>): PortalPage {
  return {
    path: PORTAL_PATHS.account,
    show: ({ account: developer, session, ownForm }) => ({
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
      <p class="quiet">To receive an application from another developer, give them your developer ID.</p>
      <h2 id="more">Settings</h2>
      <ul class="links" aria-labelledby="more">
        <li><a href="${PORTAL_PATHS.password}"><strong>Change your password</strong></a></li>
        <li><a href="${PORTAL_PATHS.deletion}"><strong>Delete your account</strong></a></li>
      </ul>
      <h2>Sessions</h2>
      <p>You can sign out in all browsers at once, including this one.</p>
      ${ownForm(html`<div class="buttons"><button>Sign out everywhere</button></div>`)}`,
    }),
    submit: signOutEverywhere(parts, site),
  };
}
