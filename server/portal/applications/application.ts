import { secretMadeAt } from '../../applications/secrets.ts';
import { webhookUrlOf } from '../../applications/webhook.ts';
import type { Environment } from '../../domain/application.ts';
import { type Html, html, momentOf } from '../../pages/html.ts';
import type { Parts } from '../../parts.ts';
import type { OwnApplication } from '../../store/applications.ts';
import type { PortalPage } from '../page.ts';
import { previousSecretEndsAt, verificationTokenOf } from './environments.ts';
import { ownPage } from './own-page.ts';
import { type ApplicationPage, pathOf } from './paths.ts';
import { facts, literal, NONE } from './views/facts.ts';
import { tokenRules, webhookState } from './views/webhook-state.ts';

export function applicationPage(parts: Pick<Parts, 'store'>): PortalPage {
  return ownPage(parts, {
    done: {
      'made-already':
        'You already created this app with this form. Its secrets were shown then and can’t be shown again. If you don’t have them, rotate both.',
    },
    show: (application, { visitor }) => {
      const { id, name, redirectUris, createdAt } = application;
      return {
        title: name,
        lead: html`Created on ${momentOf(createdAt)}.`,
        body: html`
      ${facts([
        ['Client ID', literal(id)],
        ['Live verification token', literal(verificationTokenOf(application, 'live'))],
        ['Sandbox verification token', literal(verificationTokenOf(application, 'sandbox'))],
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
        ['Live webhook URL', urlOf(application, 'live')],
        ['Sandbox webhook URL', urlOf(application, 'sandbox')],
      ])}
      ${webhookState(application, visitor.realNow)}
      <p>${link(id, 'webhooks', 'Edit webhook URLs or send a test event')}</p>
      <h2>More</h2>
      <ul>
        <li>${link(id, 'settings', 'Rename, transfer or delete this app')}</li>
        <li>${link(id, 'log', 'View the log')}</li>
      </ul>`,
      };
    },
  });
}

function link(id: string, page: ApplicationPage, words: string): Html {
  return html`<a href="${pathOf(id, page)}">${words}</a>`;
}

function urlOf(application: OwnApplication, environment: Environment): Html {
  const url = webhookUrlOf(application, environment);
  return url === null ? NONE : literal(url);
}

/** When a secret was created, and how long the previous one stays valid. */
export function secretState(application: OwnApplication, environment: Environment, realNow: number): Html {
  const endsAt = previousSecretEndsAt(application, environment, realNow);
  const made = html`created on ${momentOf(secretMadeAt(application, environment))}`;
  return endsAt === null ? made : html`${made}; the previous secret is valid until ${momentOf(endsAt)}`;
}
