import { own } from '../../domain/own.ts';
import { isFailing } from '../../domain/webhooks/failing.ts';
import { PORTAL_PATHS } from '../../links.ts';
import { type Html, html, momentOf, NOTHING } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import { goTo } from '../../site/site.ts';
import { listApplications, offersTo, type ShownApplication } from '../../store/applications.ts';
import { APPLICATIONS, ownPage, type PortalPage, pathOf } from '../page.ts';
import { failedNote } from './delivery-views.ts';
import { secretState, tokenRules, webhookState } from './environments.ts';
import { decideOffer, offersView } from './offers.ts';
import { facts, literal } from './views.ts';

/** Notes about an application that is no longer in the list. */
const DONE: Readonly<Record<string, string>> = {
  deleted: 'Application deleted. Its tokens and codes no longer work, and it receives no more webhooks.',
  accepted: 'Application accepted. Its former owner knows both secrets, so rotate them now.',
  declined: 'Offer declined.',
};

export function listPage({ store }: Pick<Parts, 'store'>): PortalPage {
  return {
    path: PORTAL_PATHS.overview,
    show: async (visit, problems = {}) => {
      const { account: developer, visitor, done } = visit;
      const applications = await listApplications(store.db, developer.id);
      const offered = await offersTo(store.db, developer.id, visitor.realNow);
      return {
        title: 'Your applications',
        lead: html`Each application has a client ID and two client secrets: one for live rides and one for its sandboxes.`,
        note: own(DONE, done ?? ''),
        current: APPLICATIONS,
        body: html`${offered.length === 0 ? NOTHING : offersView(offered, visit, problems)}
      ${applications.length === 0 ? NO_APPLICATION : NOTHING}
      <p><a class="button primary" href="${PORTAL_PATHS.newApplication}">New application</a></p>
      ${applications.map((application) => card(application, visitor.realNow))}`,
      };
    },
    submit: async (visit) => goTo(visit.res, PORTAL_PATHS.overview, await decideOffer({ store }, visit)),
  };
}

const NO_APPLICATION = html`<p>You have no applications yet. An application asks passengers for access, requests rides for them and receives webhooks about these
      rides. Create one to get its client ID and secrets, and try it in its own sandbox first.</p>`;

function card({ id, name, createdAt, webhookFailingSince }: ShownApplication, realNow: number): Html {
  return html`<article>
        <h2><a href="${pathOf(id)}">${name}</a></h2>
        ${isFailing(webhookFailingSince, realNow) ? html`<p class="badge">Webhook failing since ${momentOf(webhookFailingSince!)}</p>` : NOTHING}
        ${facts([
          ['Client ID', literal(id)],
          ['Created', momentOf(createdAt)],
        ])}
      </article>`;
}

export function applicationPage(parts: Pick<Parts, 'store'>): PortalPage {
  return ownPage(parts, {
    done: {
      'made-already':
        'You already created this application with this form. Its secrets were shown then and can’t be shown again. If you don’t have them, rotate both.',
    },
    show: async (application, { visitor }) => {
      const { id, name, redirectUris, createdAt } = application;
      return {
        title: name,
        lead: html`Created on ${momentOf(createdAt)}.`,
        body: html`
      ${facts([
        ['Client ID', literal(id)],
        ['Live verification token', literal(application.verificationToken)],
        ['Sandbox verification token', literal(application.sandboxVerificationToken)],
      ])}
      ${tokenRules()}
      <h2>Client secrets</h2>
      ${facts([
        ['Live client secret', secretState(application, 'live', visitor.realNow)],
        ['Sandbox client secret', secretState(application, 'sandbox', visitor.realNow)],
      ])}
      <p>${link(id, 'secrets', 'Rotate a secret')}</p>
      <h2>Redirect URIs</h2>
      <ul>${redirectUris.map((uri) => html`<li>${literal(uri)}</li>`)}</ul>
      <p>${link(id, 'redirect-uris', 'Edit redirect URIs')}</p>
      <h2>Webhooks</h2>
      ${facts([
        ['Live webhook URL', shownUrl(application.webhookUrl)],
        ['Sandbox webhook URL', shownUrl(application.sandboxWebhookUrl)],
      ])}
      ${webhookState(application, visitor.realNow)}
      ${await failedNote(parts, application, visitor.realNow)}
      <p>${link(id, 'webhooks', 'Edit webhook URLs or send a test event')}</p>
      <p>${link(id, 'deliveries', 'See what was sent, and send it again')}</p>
      <h2>More</h2>
      <ul>
        <li>${link(id, 'settings', 'Rename, transfer or delete this application')}</li>
        <li>${link(id, 'requests', 'View the latest requests')}</li>
        <li>${link(id, 'log', 'View the log')}</li>
      </ul>`,
      };
    },
  });
}

function link(id: string, page: Parameters<typeof pathOf>[1], words: string): Html {
  return html`<a href="${pathOf(id, page)}">${words}</a>`;
}

function shownUrl(url: string | null): Html {
  return url === null ? html`none` : literal(url);
}
