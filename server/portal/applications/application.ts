import { webhookUrlOf } from '../../applications/webhook.ts';
import type { Environment } from '../../domain/application.ts';
import { type Html, html, momentOf } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import type { OwnApplication } from '../../store/applications.ts';
import { ownPage, type PortalPage, pathOf } from '../page.ts';
import { secretState, tokenRules, verificationTokenOf, webhookState } from './environments.ts';
import { facts, literal } from './views.ts';

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

function link(id: string, page: Parameters<typeof pathOf>[1], words: string): Html {
  return html`<a href="${pathOf(id, page)}">${words}</a>`;
}

function urlOf(application: OwnApplication, environment: Environment): Html {
  const url = webhookUrlOf(application, environment);
  return url === null ? html`none` : literal(url);
}
