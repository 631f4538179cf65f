import { type LoggedRequest, REQUEST_KEPT_MS } from '../../domain/logged-request.ts';
import { type Html, html, momentOf } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import { longWork } from '../../site/long-work.ts';
import { nothingHere } from '../../site/router.ts';
import { type FoundDelivery, lookForDeliveries } from '../../store/delivery-list.ts';
import { keptAttempts, type ListedAttempt } from '../../store/event-list.ts';
import { findRequests, type PlacedRequest } from '../../store/request-batches.ts';
import { ownPage, type PortalPage, pathOf } from '../page.ts';
import { happening, listPath, type Place, pathTo, placeOf, resultOf, stateBadge, timeIn } from './delivery-views.ts';
import { MOST_REQUESTS_SHOWN, nextTurnOfSearches, requestLine } from './requests.ts';

/** What a timeline shows, by kind. */
interface Kinds {
  /** A new status of the ride, or its receipt, with the event that tells it. */
  readonly status: FoundDelivery;
  readonly attempt: ListedAttempt & { readonly of: FoundDelivery };
  /** Of the last day, whose path has the ride's ID. */
  readonly request: PlacedRequest;
}
type Kind = keyof Kinds;

/** @param at real time, which all kinds have: the clock of a sandbox can stand still */
interface Entry<K extends Kind = Kind> {
  readonly kind: K;
  readonly at: number;
  readonly facts: Kinds[K];
}

const SAYS: { readonly [K in Kind]: (facts: Kinds[K], place: Place) => Html } = {
  status: (event, { id, world }) =>
    html`<strong>${happening(event)}</strong>${world.kind === 'live' ? '' : html`, ${timeIn(world, event.occurredAt)}`}<br>
          <a href="${pathTo({ id, world }, event.eventId)}">${event.type}</a> ${stateBadge(event)}`,
  attempt: ({ number, of, ...result }, place) =>
    html`<a href="${pathTo(place, of.eventId)}">Attempt ${number} of “${happening(of)}”</a>: ${resultOf(result)}`,
  request: (placed, { id }) => requestLine(pathOf(id, 'requests'), placed),
};

/** One line of time. Of entries at the same instant, those of an earlier list come first. */
export function merged(...lists: readonly (readonly Entry[])[]): readonly Entry[] {
  return lists.flat().toSorted((a, b) => a.at - b.at);
}

/** A page with the requests about a ride, its statuses, and the attempts to deliver each status. */
export function timelinePage(parts: Pick<Parts, 'store'>): PortalPage {
  const { db } = parts.store;
  return ownPage(parts, {
    page: 'deliveries',
    below: '/:world/rides/:ride',
    show: async (application, visit) => {
      const { world: name, ride = '' } = visit.params;
      const place = await placeOf(parts, application, name);
      const search = { worldId: place.world.id, applicationId: place.id, rideId: ride };
      const { deliveries } = await lookForDeliveries(db, search, null);
      // without a visible event, the page does not tell whether the ride exists
      if (deliveries.length === 0) throw nothingHere();
      const byId = new Map(deliveries.map((event) => [event.eventId, event]));
      const attempts = await keptAttempts(db, [...byId.keys()]);
      const of = {
        applicationId: place.id,
        developerId: visit.account.id,
        since: visit.visitor.realNow - REQUEST_KEPT_MS,
      };
      const ofRide = {
        before: null,
        limit: MOST_REQUESTS_SHOWN,
        nextTurn: nextTurnOfSearches,
        matches: ({ path, worldId }: LoggedRequest) => worldId === place.world.id && path.includes(ride),
      };
      const calls = await longWork(visit, () => findRequests(db, of, ofRide));
      const entries = merged(
        deliveries.toReversed().map((event) => ({ kind: 'status', at: event.createdAt, facts: event })),
        attempts.map((each) => ({
          kind: 'attempt',
          at: each.startedAt,
          facts: { ...each, of: byId.get(each.eventId)! },
        })),
        calls.found.toReversed().map((placed) => ({ kind: 'request', at: placed.request.at, facts: placed })),
      );
      return {
        title: 'Timeline of a ride',
        lead: html`What happened to the ride ${ride}, what your receiver answered, and what your application asked in the last day.`,
        body: html`<ol class="timeline">${entries.map((entry) => item(entry, place))}</ol>
      <p><a href="${listPath(place, { world: place.world.kind === 'live' ? '' : place.world.id, ride })}">Show this ride’s events as a list</a></p>`,
      };
    },
  });
}

function item<K extends Kind>({ kind, at, facts }: Entry<K>, place: Place): Html {
  return html`<li class="${kind}"><span class="quiet">${momentOf(at, 'medium')}</span><br>${SAYS[kind](facts, place)}</li>`;
}
