import { type Environment, FIELDS } from '../domain/application.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { newToken } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import { setWebhook } from '../store/application-keys.ts';
import { type By, changeOwn } from './by.ts';
import { note } from './log.ts';
import { webhookUrlFrom } from './rules.ts';

/**
 * Sets a webhook URL. A new URL gets a new verification token, so that the previous receiver cannot forge requests to
 * it. Setting the same URL changes nothing. Throws Refusal `bad_parameter` and `not_found`.
 * @param text as typed; empty or null: no webhooks
 */
export async function changeWebhook(
  { store, randomBytes, webhookTargets }: Pick<Parts, 'store' | 'randomBytes' | 'webhookTargets'>,
  by: By,
  id: string,
  { environment, url: text }: { readonly environment: Environment; readonly url: string | null },
): Promise<boolean> {
  const url = webhookUrlFrom(text, environment === 'live' ? 'webhook_url' : 'sandbox_webhook_url', webhookTargets);
  const changed = await changeOwn(store, by, id, async (tx, application) => {
    if (url === application[FIELDS[environment].webhookUrl]) return null;
    await setWebhook(tx, id, environment, { url, verificationToken: newToken(randomBytes) }, by.realNow);
    const action = url === null ? 'webhook_removed' : 'webhook_set';
    await note(tx, id, by, { action, detail: url === null ? environment : `${environment}: ${withoutQuery(url)}` });
    return application;
  });
  if (changed === null) return false;
  const world = environment === 'live' ? LIVE_WORLD.id : changed.sandboxWorldId;
  by.audit({
    ...{ event: 'webhook_changed', result: url === null ? 'removed' : 'set', application: id, world },
    newToken: true,
  });
  return true;
}

/** The query can contain a secret of the receiver. */
function withoutQuery(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}
