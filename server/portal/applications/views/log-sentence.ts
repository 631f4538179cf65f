import type { LogAction } from '../../../applications/by.ts';
import { own } from '../../../domain/own.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { LogEntry } from '../../../store/application-log.ts';
import { literal } from './facts.ts';

/** A log entry with its author's email; null for an operator or a deleted developer. */
export type ShownEntry = LogEntry & { readonly developerEmail: string | null };

/** A log entry as a sentence. @param readerId the developer who reads it */
export function logSentence(entry: ShownEntry, readerId: string): Html {
  const does = own<Says>(SENTENCES, entry.action);
  // unknown actions come from a newer server
  const what = does?.(entry.detail ?? '') ?? html`made a change: ${entry.action}`;
  return html`${whoDid(entry, readerId)} ${what}.`;
}

function whoDid({ developerId, developerEmail }: ShownEntry, readerId: string): string {
  if (developerId === null) return 'An operator';
  if (developerId === readerId) return 'You';
  return developerEmail ?? 'A former developer';
}

type Says = (detail: string) => Html;

const SENTENCES: Readonly<Record<LogAction, Says>> = {
  created: (name) => html`created the app as ${name}`,
  renamed: (names) => html`renamed the app: ${names}`,
  redirect_uris_changed: (uris) =>
    html`set the redirect URIs: ${uris.split(' ').map((uri, index) => html`${index === 0 ? '' : ', '}${literal(uri)}`)}`,
  webhook_set: (detail) => ofEnvironment(detail, (where, url) => html`set the ${where} webhook URL to ${literal(url)}`),
  webhook_removed: (environment) => html`removed the ${environment} webhook URL`,
  secret_rotated: (environment) => html`rotated the ${environment} secret`,
  refresh_rotation_on: () => html`turned on refresh token rotation`,
  refresh_rotation_off: () => html`turned off refresh token rotation`,
  transferred: (to) => html`transferred the app ${to}`,
  test_event_sent: (detail) =>
    ofEnvironment(detail, (where, result) => html`sent a test event to the ${where} webhook URL: ${result}`),
};

/** Reads `live: …`. */
function ofEnvironment(detail: string, say: (environment: string, rest: string) => Html): Html {
  const [environment = '', ...rest] = detail.split(': ');
  return say(environment, rest.join(': '));
}
