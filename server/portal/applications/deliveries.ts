import { EVENT_TYPES } from '../../../generated/webhooks.ts';
import { type Html, html, NOTHING } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import { labeled } from '../../sign-in/views/form.ts';
import { type FoundDelivery, lookForDeliveries, MOST_EVENTS_LOOKED_AT } from '../../store/delivery-list.ts';
import type { EventPlace } from '../../store/event-list.ts';
import { findWorldOf } from '../../store/worlds.ts';
import { ownPage, type PortalPage, pathOf } from '../page.ts';
import {
  happening,
  listPath,
  type Place,
  pathTo,
  placeOf,
  resultOf,
  STATES,
  stateBadge,
  timeIn,
} from './delivery-views.ts';
import { resendFailed, submitResend } from './resend-failed.ts';
import { button, choiceField, textField } from './views.ts';

const FILTERS = ['world', 'ride', 'type', 'state', 'since', 'until'] as const;
/** As typed; '' for any. */
type Filters = Readonly<Record<(typeof FILTERS)[number], string>>;

/** The webhook events of an application in one world, latest first. */
export function deliveriesPage(parts: Pick<Parts, 'store' | 'countCall' | 'rateLimitMultiplier'>): PortalPage {
  const { store } = parts;
  return ownPage(
    { store },
    {
      page: 'deliveries',
      done: { resending: 'The events are being sent again.', canceled: 'The rest is not sent again.' },
      show: async (application, visit, problems = {}) => {
        const { id, name } = application;
        const { query, form } = visit;
        const filters = Object.fromEntries(FILTERS.map((filter) => [filter, textOf(query[filter])])) as Filters;
        const { ride, type, state, since, until } = filters;
        const before = eventPlaceIn(textOf(query.before));
        const world = await findWorldOf(store.db, id, filters.world || form.text('world') || 'live');
        const asked = {
          applicationId: id,
          rideId: ride || undefined,
          type: type || undefined,
          state: state || undefined,
        };
        const search = { ...asked, since: instantIn(since), until: instantIn(until) };
        const { deliveries, older } = world
          ? await lookForDeliveries(store.db, { ...search, worldId: world.id }, before)
          : { deliveries: [], older: null };
        const none = older
          ? `None of these ${MOST_EVENTS_LOOKED_AT} events match. Older ones may.`
          : 'No events match.';
        const link = (words: string, change: Readonly<Record<string, string>>) =>
          html`<a href="${listPath({ id }, { ...filters, ...change })}">${words}</a>`;
        return {
          title: `Deliveries for ${name}`,
          lead: html`The webhook events of the last 30 days, most recent first: what we sent, and what your receiver answered.`,
          body: html`
      <p>${link('Live rides', { world: '' })} · ${link('Default sandbox', { world: 'sandbox' })} · ${link('Failed', { state: 'given_up' })}</p>
      ${world === undefined || before ? NOTHING : await resendFailed(parts, { id, world }, application, visit, problems)}
      <h2>Events</h2>
      ${filterForm(id, filters, world === undefined)}
      ${deliveries.length === 0 ? html`<p>${none}</p>` : NOTHING}
      ${deliveries.length > 0 && ride !== '' ? html`<p><a href="${pathTo({ id, world: world! }, 'rides', ride)}">Show this ride’s timeline</a></p>` : NOTHING}
      <div class="log">${deliveries.map((event) => row({ id, world: world! }, event))}</div>
      ${older ? html`<p>${link('Older', { before: `${older.occurredAt}.${older.eventId}` })}</p>` : NOTHING}
      ${before ? html`<p>${link('Latest', {})}</p>` : NOTHING}`,
        };
      },
      submit: async (application, visit) => {
        const place = await placeOf(parts, application, visit.form.text('world'));
        const done = await submitResend(parts, place, application, visit);
        visit.res.redirect(303, listPath(place, { world: place.world.id, done }));
        return undefined;
      },
    },
  );
}

function row(place: Place, { eventId, rideId, type, attempts, answered, error, ...event }: FoundDelivery): Html {
  const result = attempts === 0 ? 'No attempt yet.' : `Attempt ${attempts}: ${resultOf({ status: answered, error })}`;
  return html`<article><a href="${pathTo(place, eventId)}">${happening({ type, ...event })}</a> ${stateBadge(event)}<br>
        Happened ${timeIn(place.world, event.occurredAt)}. ${result}<br>
        <span class="quiet">${type} of the ride <a href="${pathTo(place, 'rides', rideId)}">${rideId}</a></span></article>`;
}

/** Ignores what our form never sends. */
function textOf(typed: unknown): string {
  return typeof typed === 'string' && typed.length <= 100 && !typed.includes('\0') ? typed.trim() : '';
}

/** The end of the page before, as a link gives it. */
function eventPlaceIn(text: string): EventPlace | null {
  const [, at, eventId] = /^(\d{1,15})\.(.+)$/.exec(text) ?? [];
  return at === undefined ? null : { occurredAt: Number(at), eventId: eventId! };
}

/** In UTC, as a field for a date and a time sends it. */
function instantIn(text: string): number | undefined {
  return Date.parse(`${text}Z`) || undefined;
}

function filterForm(id: string, filters: Filters, isUnknown: boolean): Html {
  const typed = (name: keyof Filters) => ({ name, value: filters[name] });
  const problem = isUnknown ? 'This application has no sandbox with this ID.' : undefined;
  const time = (name: 'since' | 'until', label: string) =>
    labeled({ name, label }, html`<input id="${name}" name="${name}" type="datetime-local" value="${filters[name]}">`);
  const states = Object.fromEntries([...STATES].map(([state, [label]]) => [state, label]));
  const types = Object.fromEntries(EVENT_TYPES.map((type) => [type, type]));
  return html`<details class="filters"${Object.values(filters).every((value) => value === '') ? NOTHING : html` open`}>
      <summary>Filter</summary>
      <form action="${pathOf(id, 'deliveries')}">
      ${choiceField({ ...typed('state'), label: 'State', choices: { '': 'Any', ...states } })}
      ${choiceField({ ...typed('type'), label: 'Event type', choices: { '': 'Any', ...types } })}
      ${textField({ ...typed('ride'), label: 'Ride ID', isOptional: true })}
      ${time('since', 'From (UTC)')}
      ${time('until', 'To (UTC)')}
      ${textField({ ...typed('world'), label: 'Sandbox ID, or “sandbox”', isOptional: true, problem })}
      ${button('Show')}
      </form>
    </details>`;
}
