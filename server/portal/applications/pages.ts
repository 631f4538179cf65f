import type { Parts } from '../../parts.ts';
import type { Sender } from '../../webhooks/delivery/send.ts';
import type { PortalPage } from '../page.ts';
import { applicationPage } from './application.ts';
import { listPage } from './list.ts';
import { logPage } from './log.ts';
import { newPage } from './new.ts';
import { redirectUrisPage } from './redirect-uris.ts';
import { secretsPage } from './secrets.ts';
import { settingsPage } from './settings.ts';
import { webhooksPage } from './webhooks.ts';

export interface ApplicationParts extends Parts {
  /** Shared with deliveries, so test events take the same path. */
  readonly sender: Sender;
}

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
