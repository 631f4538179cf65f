import { leaveDeveloper } from '../../developers/delete.ts';
import { PORTAL_PATHS } from '../../links.ts';
import { html } from '../../pages/html.ts';
import type { Parts } from '../../parts.ts';
import { deletionPage } from '../../site/deletion.ts';
import { passwordPage } from '../../site/password.ts';
import type { Site } from '../../site/site.ts';
import type { Developer } from '../../store/developers.ts';
import type { PortalPage } from '../page.ts';
import { overviewPage } from './overview.ts';

export function accountPages(
  parts: Pick<Parts, 'store' | 'randomBytes'>,
  site: Site<Developer>,
): readonly PortalPage[] {
  const password = {
    path: PORTAL_PATHS.password,
    changed: 'changed',
    lead: html`This signs you out in all other browsers. Your apps’ secrets don’t change.`,
    current: 'Account',
  };
  return [overviewPage(parts, site), passwordPage(parts, site, password), leavingPage(parts, site)];
}

/** Deletes an account without applications. */
function leavingPage({ store }: Pick<Parts, 'store'>, site: Site<Developer>): PortalPage {
  return deletionPage(site, {
    path: PORTAL_PATHS.deletion,
    lead: html`You can’t undo this. We delete your email, password and sessions right away.`,
    current: 'Account',
    consequences: html`<p>First, <a href="${PORTAL_PATHS.overview}">delete or transfer your apps</a>. The log of a transferred app
      keeps your past changes. We store them under your developer ID, and the log calls you “A former developer”.</p>`,
    remove: async (developer) => {
      const { outcome } = await store.transaction((tx) => leaveDeveloper(tx, developer, developer.passwordHash));
      if (outcome === 'owner') return { problem: 'You still have apps. Delete or transfer them first.' };
      return outcome === 'deleted' ? 'deleted' : 'stale';
    },
  });
}
