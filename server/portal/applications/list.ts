import { isFailing } from '../../domain/webhooks/failing.ts';
import { own } from '../../http/own.ts';
import { PORTAL_PATHS } from '../../links.ts';
import { type Html, html, NOTHING } from '../../pages/html.ts';
import { momentOf } from '../../pages/moment.ts';
import type { Parts } from '../../parts.ts';
import { listApplications, type OwnApplication } from '../../store/applications.ts';
import type { PortalPage } from '../page.ts';
import { pathOf } from './paths.ts';
import { facts, literal } from './views/facts.ts';

/** What has just become of an application that is no longer in the list. */
const DONE: Readonly<Record<string, string>> = {
  deleted: 'The application is deleted. Its tokens and codes have ended, and no more webhooks are sent.',
  transferred: 'The application belongs to the other developer now.',
};

/** The developer's applications. */
export function listPage({ store }: Pick<Parts, 'store'>): PortalPage {
  return {
    path: PORTAL_PATHS.overview,
    show: async ({ developer, by, done }) => {
      const applications = await listApplications(store.db, developer.id);
      return {
        title: 'Your applications',
        lead: html`Each one has a client id, and secrets for live rides and for its sandboxes.`,
        note: own(DONE, done ?? ''),
        current: 'Applications',
        body: applications.length === 0 ? NO_APPLICATION : listOf(applications, by.realNow),
      };
    },
  };
}

const NO_APPLICATION = html`<p>An application is what you build on the API: it asks passengers for access, requests rides for them, and
      hears about these rides by webhooks. It needs a client id and secrets from here, and begins in a sandbox of its own, where nothing is real.</p>
      <p><a class="button primary" href="${PORTAL_PATHS.newApplication}">New application</a></p>`;

function listOf(applications: readonly OwnApplication[], realNow: number): Html {
  return html`<p><a class="button primary" href="${PORTAL_PATHS.newApplication}">New application</a></p>
      ${applications.map((application) => card(application, realNow))}`;
}

function card({ id, name, createdAt, webhookFailingSince }: OwnApplication, realNow: number): Html {
  return html`<article>
        <h2><a href="${pathOf(id)}">${name}</a></h2>
        ${isFailing(webhookFailingSince, realNow) ? html`<p class="badge">Webhook failing since ${momentOf(webhookFailingSince!)}</p>` : NOTHING}
        ${facts([
          ['Client id', literal(id)],
          ['Made', momentOf(createdAt)],
        ])}
      </article>`;
}
