import { type Application, type Environment, FIELDS } from '../domain/application.ts';
import { Refusal } from '../domain/refusal.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { newToken } from '../oauth/secrets.ts';
import type { Parts, TargetRules } from '../parts.ts';
import { setWebhook } from '../store/application-keys.ts';
import { assertWebhookUrl, ForbiddenTarget } from '../webhooks/delivery/target.ts';
import { type By, holdOwn, note } from './by.ts';

/**
 * Webhook URL of an application.
 * @beyond the form returns with an error
 * @heldBy tests/portal/applications-webhooks.test.ts
 */
const MOST_WEBHOOK_URL_CHARACTERS = 2000;
const EXAMPLE = 'Enter a URL such as https://app.example.com/webhooks.';

/**
 * A webhook URL as typed; null if it is absent or empty. Throws Refusal `bad_parameter`. @param field the field name
 * for the error's detail
 */
export function webhookUrlFrom(text: string | null, field: string, rules: TargetRules): string | null {
  const url = text?.trim() ?? '';
  if (url === '') return null;
  const refuse = (problem: string) => new Refusal('bad_parameter', problem, { [field]: problem });
  if (url.length > MOST_WEBHOOK_URL_CHARACTERS)
    throw refuse(`The webhook URL is too long. Enter at most ${MOST_WEBHOOK_URL_CHARACTERS} characters.`);
  try {
    return assertWebhookUrl(url, rules).href;
  } catch (error) {
    if (error instanceof ForbiddenTarget) throw refuse(`${error.message} ${EXAMPLE}`);
    throw error;
  }
}

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
  const changed = await store.transaction(async (tx) => {
    const application = await holdOwn(tx, id, by);
    if (url === webhookUrlOf(application, environment)) return null;
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

export function webhookUrlOf(
  application: Pick<Application, 'webhookUrl' | 'sandboxWebhookUrl'>,
  environment: Environment,
): string | null {
  return application[FIELDS[environment].webhookUrl];
}

/** The query can contain a secret of the receiver. */
function withoutQuery(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}
