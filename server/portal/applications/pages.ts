import type { Parts } from '../../parts.ts';
import type { PortalPage } from '../page.ts';
import { applicationPage } from './application.ts';
import { listPage } from './list.ts';
import { logPage } from './log.ts';
import { type NewParts, newPage } from './new.ts';
import { redirectUrisPage } from './redirect-uris.ts';
import { secretsPage } from './secrets.ts';
import { settingsPage } from './settings.ts';
import { type WebhookParts, webhooksPage } from './webhooks.ts';

export type ApplicationParts = NewParts & WebhookParts & Pick<Parts, 'refusedDevelopers'>;

export function applicationPages(parts: ApplicationParts): readonly PortalPage[] {
  return [
    listPage(parts),
    newPage(parts),
    applicationPage(parts),
    redirectUrisPage(parts),
    webhooksPage(parts),
    secretsPage(parts),
    settingsPage(parts),
    logPage(parts),
  ];
}
