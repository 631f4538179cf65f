import type { LogAction } from '../../../applications/by.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { LogEntry } from '../../../store/application-log.ts';
import { literal } from './facts.ts';

/** An entry of the log, with the email of the developer who did it; null: an operator did, or the developer is gone. */
export type ShownEntry = LogEntry & { readonly developerEmail: string | null };

/** What an entry says, as a sentence. @param readerId the developer who reads it */
export function logSentence(entry: ShownEntry, readerId: string): Html {
  const does = (SENTENCES as Readonly<Record<string, Says | undefined>>)[entry.action];
  // an action of a newer server
  const what = does?.(entry.detail ?? '') ?? html`did this: ${entry.action}`;
  return html`${whoDid(entry, readerId)} ${what}.`;
}

function whoDid({ developerId, developerEmail }: ShownEntry, readerId: string): string {
  if (developerId === null) return 'An operator';
  if (developerId === readerId) return 'You';
  return developerEmail ?? 'A former developer';
}

type Says = (detail: string) => Html;

const SENTENCES: Readonly<Record<LogAction, Says>> = {
  created: (name) => html`made the application, named ${name}`,
  renamed: (names) => html`renamed it: ${names}`,
  redirect_uris_changed: (uris) =>
    html`set the redirect URIs: ${uris.split(' ').map((uri, index) => html`${index === 0 ? '' : ', '}${literal(uri)}`)}`,
  webhook_set: (detail) => ofEnvironment(detail, (where, url) => html`set the ${where} webhook URL to ${literal(url)}`),
  webhook_removed: (environment) => html`removed the ${environment} webhook URL`,
  secret_rotated: (environment) => html`rotated the ${environment} secret`,
  refresh_rotation_on: () => html`turned on the rotation of refresh tokens`,
  refresh_rotation_off: () => html`turned off the rotation of refresh tokens`,
  transferred: (to) => html`transferred it ${to}`,
  test_event_sent: (detail) =>
    ofEnvironment(detail, (where, result) => html`sent a test event to the ${where} webhook URL: ${result}`),
};

/** Reads `live: …`. */
function ofEnvironment(detail: string, say: (environment: string, rest: string) => Html): Html {
  const [environment = '', ...rest] = detail.split(': ');
  return say(environment, rest.join(': '));
}
