import type { LogAction } from '../../domain/application-log.ts';
import { own } from '../../domain/own.ts';
import { type Html, html, momentOf, NOTHING } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import { logOf, type ShownLogEntry } from '../../store/application-log.ts';
import { ownPage, type PortalPage, type PortalVisit, pathOf } from '../page.ts';
import { literal } from './views.ts';

/** Entries on a page of the log. @beyond a link leads to older ones @heldBy tests/portal/applications-log.test.ts */
const MOST_ENTRIES_SHOWN = 50;

export function logPage(parts: Pick<Parts, 'store'>): PortalPage {
  return ownPage(parts, {
    page: 'log',
    show: async ({ id, name }, visit) => {
      const before = numberIn(visit.query.before);
      // fetch one extra to know whether there are older entries
      const found = await logOf(parts.store.db, id, { before, limit: MOST_ENTRIES_SHOWN + 1 });
      const shown = found.slice(0, MOST_ENTRIES_SHOWN);
      const last = shown.at(-1);
      const hasOlder = found.length > shown.length && last !== undefined;
      return {
        title: `Log for ${name}`,
        lead: html`Changes to this application, most recent first.`,
        body: html`
      ${shown.length === 0 ? html`<p>No ${before === null ? '' : 'older '}entries.</p>` : html`<ul class="log">${shown.map((entry) => row(entry, visit))}</ul>`}
      ${hasOlder ? html`<p><a href="${pathOf(id, 'log')}?before=${last.number}">Older</a></p>` : html``}
      ${before === null ? html`` : html`<p><a href="${pathOf(id, 'log')}">Latest</a></p>`}`,
      };
    },
  });
}

/** Null unless the text is an entry's number. */
function numberIn(text: unknown): number | null {
  return typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

function row(entry: ShownLogEntry, { account: developer }: PortalVisit): Html {
  // no one else's network
  const from = entry.network === null || entry.developerId !== developer.id ? html`` : html` from ${entry.network}`;
  return html`<li>${logSentence(entry, developer.id)}<br><span class="quiet">${momentOf(entry.at)}${from}</span></li>`;
}

/** A log entry as a sentence. @param readerId the developer who reads it */
function logSentence(entry: ShownLogEntry, readerId: string): Html {
  const does = own<Says>(SENTENCES, entry.action);
  // unknown actions come from a newer server
  const what = does?.(entry.detail ?? '') ?? html`made a change: ${entry.action}`;
  return html`${whoDid(entry, readerId)} ${what}.`;
}

function whoDid({ developerId }: ShownLogEntry, readerId: string): string {
  if (developerId === null) return 'An operator';
  return developerId === readerId ? 'You' : 'Another developer';
}

type Says = (detail: string) => Html;

const SENTENCES: Readonly<Record<LogAction, Says>> = {
  created: (name) => html`created the application as ${name}`,
  renamed: (names) => html`renamed the application: ${names}`,
  redirect_uris_changed: (uris) =>
    html`set the redirect URIs: ${uris.split(' ').map((uri, index) => html`${index === 0 ? '' : ', '}${literal(uri)}`)}`,
  webhook_set: (detail) => ofEnvironment(detail, (where, url) => html`set the ${where} webhook URL to ${literal(url)}`),
  webhook_removed: (environment) => html`removed the ${environment} webhook URL`,
  secret_rotated: (environment) => html`rotated the ${environment} secret`,
  refresh_rotation_on: () => html`turned on refresh token rotation`,
  refresh_rotation_off: () => html`turned off refresh token rotation`,
  live_events_on: () => html`let the live secret read events`,
  live_events_off: () => html`stopped the live secret from reading events`,
  transfer_offered: (to) =>
    html`offered the application${to === '' ? NOTHING : html` to the developer ${literal(to)}`}`,
  transfer_withdrawn: () => html`withdrew the offer`,
  transfer_declined: () => html`declined the application`,
  transfer_accepted: () => html`accepted the application`,
  transferred: () => html`transferred the application to its owner`,
  test_event_sent: (detail) =>
    ofEnvironment(detail, (where, result) => html`sent a test event to the ${where} webhook URL: ${result}`),
  event_resent: (detail) => ofEnvironment(detail, (where, id) => html`sent the ${where} event ${literal(id)} again`),
  events_resent: (detail) =>
    ofEnvironment(detail, (where, which) => html`sent all ${where} events that failed again: ${which}`),
};

/** Reads `live: …`. */
function ofEnvironment(detail: string, say: (environment: string, rest: string) => Html): Html {
  const [environment = '', ...rest] = detail.split(': ');
  return say(environment, rest.join(': '));
}
