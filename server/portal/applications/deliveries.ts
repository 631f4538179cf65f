import { type Html, html, NOTHING } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import { labeled } from '../../sign-in/views/form.ts';
import type { ShownApplication } from '../../store/applications.ts';
import { type DeliverySearch, lookForDeliveries, MOST_EVENTS_LOOKED_AT } from '../../store/delivery-list.ts';
import type { EventPlace } from '../../store/event-list.ts';
import { findWorldOf } from '../../store/worlds.ts';
import { ownPage, type PortalPage, pathOf } from '../page.ts';
import { deliveriesPath, deliveryItem, ridePath, STATES } from './delivery-views.ts';
import { button, choiceField, textField } from './views.ts';

/** What a visitor filters by, as typed; '' for any. */
type Filters = Readonly<Record<(typeof FILTERS)[number], string>>;
const FILTERS = ['environment', 'world', 'ride', 'type', 'state', 'since', 'until'] as const;

const TYPES = ['ride.status.updated', 'ride.receipt.ready'] as const;
const ENVIRONMENTS = { live: 'Live rides', sandbox: 'Default sandbox' };

/** The webhook events of an application in one world, latest first. */
export function deliveriesPage(parts: Pick<Parts, 'store'>): PortalPage {
  const { db } = parts.store;
  return ownPage(parts, {
    page: 'deliveries',
    show: async (application, { query }) => {
      const { id, name } = application;
      const filters = Object.fromEntries(FILTERS.map((filter) => [filter, textOf(query[filter])])) as Filters;
      const before = placeIn(textOf(query.before));
      const world = await findWorldOf(db, id, filters.world || filters.environment || 'live');
      const found = world && (await lookForDeliveries(db, searchOf(id, world.id, filters), before));
      const link = (words: string, change: Readonly<Record<string, string>>) =>
        html`<a href="${deliveriesPath(id, { ...used(filters), ...change })}">${words}</a>`;
      return {
        title: `Deliveries for ${name}`,
        lead: html`The webhook events of the last 30 days, most recent first: what we sent, and what your receiver answered.`,
        body: html`
      ${filterForm(application, filters, world === undefined)}
      ${world && filters.ride !== '' ? html`<p><a href="${ridePath(id, world, filters.ride)}">Show this ride’s timeline</a></p>` : NOTHING}
      ${found && found.deliveries.length > 0 ? html`<ul class="log">${found.deliveries.map((event) => deliveryItem(application, world, event))}</ul>` : NOTHING}
      ${found?.deliveries.length === 0 ? html`<p>${found.older ? `None of the next ${MOST_EVENTS_LOOKED_AT} events match. Older ones may.` : 'No events match.'}</p>` : NOTHING}
      ${found?.older ? html`<p>${link('Older', { before: `${found.older.occurredAt}.${found.older.eventId}` })}</p>` : NOTHING}
      ${before === null ? NOTHING : html`<p>${link('Latest', {})}</p>`}`,
      };
    },
  });
}

/** Ignores what our form never sends. */
function textOf(typed: unknown): string {
  return typeof typed === 'string' && typed.length <= 100 && !typed.includes('\0') ? typed.trim() : '';
}

function used(filters: Filters): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
}

function searchOf(applicationId: string, worldId: string, filters: Filters): DeliverySearch {
  const { ride, type, state, since, until } = filters;
  const given = { rideId: ride || undefined, type: type || undefined, state: state || undefined };
  return { worldId, applicationId, ...given, since: instantIn(since), until: instantIn(until) };
}

/** The last event of the page before, as a link gives it. */
function placeIn(text: string): EventPlace | null {
  const [, at, eventId] = /^(\d{1,15})\.(.+)$/.exec(text) ?? [];
  return at === undefined || eventId === undefined ? null : { occurredAt: Number(at), eventId };
}

/** In UTC, as a field for a date and a time sends it. */
function instantIn(text: string): number | undefined {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

function filterForm({ id }: Pick<ShownApplication, 'id'>, filters: Filters, isUnknown: boolean): Html {
  const typed = (name: keyof Filters) => ({ name, value: filters[name] });
  const states = Object.fromEntries([...STATES].map(([state, { label }]) => [state, label]));
  const types = Object.fromEntries(TYPES.map((type) => [type, type]));
  const problem = isUnknown ? 'This application has no sandbox with this ID.' : undefined;
  const time = (name: 'since' | 'until', label: string) =>
    labeled({ name, label }, html`<input id="${name}" name="${name}" type="datetime-local" value="${filters[name]}">`);
  // a problem or a filter stays in sight
  const isOpen = isUnknown || Object.keys(used(filters)).length > 0;
  return html`<details class="filters"${isOpen ? html` open` : NOTHING}>
      <summary>Filter</summary>
      <form action="${pathOf(id, 'deliveries')}">
      ${choiceField({ ...typed('environment'), label: 'Environment', choices: ENVIRONMENTS })}
      ${textField({ ...typed('world'), label: 'Another sandbox’s ID', isOptional: true, problem })}
      ${choiceField({ ...typed('state'), label: 'State', choices: { '': 'Any', ...states } })}
      ${choiceField({ ...typed('type'), label: 'Event type', choices: { '': 'Any', ...types } })}
      ${time('since', 'From (UTC)')}
      ${time('until', 'To (UTC)')}
      ${textField({ ...typed('ride'), label: 'Ride ID', isOptional: true })}
      ${button('Show')}
      </form>
    </details>`;
}
