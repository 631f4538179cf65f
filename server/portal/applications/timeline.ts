import type { Ride, RideStatus } from '../../domain/rides/ride.ts';
import type { World } from '../../domain/worlds/clock.ts';
import { type Html, html, NOTHING, secondOf } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import { nothingHere } from '../../site/router.ts';
import { type FoundDelivery, findRideOf, lookForDeliveries } from '../../store/delivery-list.ts';
import { keptAttempts, type ListedAttempt } from '../../store/event-list.ts';
import { ownPage, type PortalPage } from '../page.ts';
import {
  deliveriesPath,
  eventPath,
  happening,
  resultOf,
  stateBadge,
  timeIn,
  wordsOf,
  worldIn,
} from './delivery-views.ts';

/** What a timeline shows, by kind. A further kind needs its facts here, its sentence in SAYS, and its list in `merged`. */
interface Kinds {
  readonly status: { readonly status: RideStatus; readonly occurredAt: number };
  readonly event: FoundDelivery;
  readonly attempt: ListedAttempt & { readonly of: FoundDelivery };
}

/** An entry, at a real time. */
type Entry = {
  readonly [Kind in keyof Kinds]: { readonly kind: Kind; readonly at: number; readonly facts: Kinds[Kind] };
}[keyof Kinds];

interface Place {
  readonly id: string;
  readonly world: World;
}

const SAYS: { readonly [Kind in keyof Kinds]: (facts: Kinds[Kind], place: Place) => Html } = {
  status: ({ status }) => html`<strong>Ride ${wordsOf(status)}</strong>`,
  event: (event, { id, world }) =>
    html`Event <a href="${eventPath(id, world, event.eventId)}">${happening(event)}</a> ${stateBadge(event)}`,
  attempt: ({ number, of, durationMs, ...result }, { id, world }) =>
    html`Attempt ${number} of <a href="${eventPath(id, world, of.eventId)}">${happening(of)}</a>, ${Math.max(0, Math.round(durationMs))} ms.
          ${resultOf(result)}`,
};

/** One line of time. Of entries at the same instant, those of an earlier list come first. */
export function merged(...lists: readonly (readonly Entry[])[]): readonly Entry[] {
  return lists.flat().toSorted((a, b) => a.at - b.at);
}

/** A ride's statuses, its events and their attempts. */
export function timelinePage(parts: Pick<Parts, 'store'>): PortalPage {
  const { db } = parts.store;
  return ownPage(parts, {
    page: 'deliveries',
    below: '/:world/rides/:ride',
    show: async (application, { params }) => {
      const { id } = application;
      const world = await worldIn(parts, application, params.world);
      const search = { worldId: world.id, applicationId: id, rideId: params.ride ?? '' };
      const found = await findRideOf(db, search, search.rideId);
      // the ID can be that of an earlier application, which another developer owned
      if (found === undefined || (world.kind === 'live' && found.ride.requestedAt < application.createdAt))
        throw nothingHere();
      const { deliveries } = await lookForDeliveries(db, search, null);
      const byId = new Map(deliveries.map((event) => [event.eventId, event]));
      const attempts = await keptAttempts(db, [...byId.keys()]);
      const entries = merged(
        statusesOf(found, deliveries, world),
        deliveries.toReversed().map((event) => ({ kind: 'event', at: event.createdAt, facts: event })),
        attempts.map((attempt) => ({
          ...{ kind: 'attempt', at: attempt.startedAt, facts: { ...attempt, of: byId.get(attempt.eventId)! } },
        })),
      );
      return {
        title: 'Timeline of a ride',
        lead: html`What happened to the ride ${search.rideId}, and what we told your receiver.`,
        body: html`${found.isSilent ? html`<p class="note">The passenger has revoked your application’s access. You see only what your receiver has.</p>` : NOTHING}
      <ol class="timeline">${entries.map((entry) => item(entry, { id, world }))}</ol>
      <p><a href="${deliveriesPath(id, { world: world.id, ride: search.rideId })}">Show this ride’s events as a list</a></p>`,
      };
    },
  });
}

function item(entry: Entry, place: Place): Html {
  const say = SAYS[entry.kind] as (facts: Entry['facts'], place: Place) => Html;
  const { world } = place;
  const time = entry.kind === 'status' ? timeIn(world, entry.facts.occurredAt) : secondOf(entry.at);
  return html`<li class="${entry.kind}"><span class="quiet">${time}</span><br>${say(entry.facts, place)}</li>`;
}

/**
 * The statuses of a ride, earliest first. Each is at the real time at which its event was stored. One without an event is
 * at the time of the next one in a sandbox, whose clock says nothing about real time.
 */
function statusesOf(
  { ride, isSilent }: { readonly ride: Ride; readonly isSilent: boolean },
  deliveries: readonly FoundDelivery[],
  { kind }: World,
): readonly Entry[] {
  const toldAt = new Map(deliveries.map(({ occurredAt, createdAt }) => [occurredAt, createdAt]));
  const times: readonly (readonly [RideStatus, number | null])[] = [
    ['pending', ride.requestedAt],
    ...(['accepted', 'arrived', 'pickedUp', 'droppedOff', 'canceled'] as const).map(
      (status) => [status, ride[`${status}At`]] as const,
    ),
    ['unknown', ride.status === 'unknown' ? ride.lastEventAt : null],
  ];
  const statuses: Entry[] = [];
  for (const [status, occurredAt] of times.toReversed()) {
    if (occurredAt === null || (isSilent && status !== 'pending' && !toldAt.has(occurredAt))) continue;
    const at = toldAt.get(occurredAt) ?? (kind === 'live' ? occurredAt : (statuses[0]?.at ?? occurredAt));
    statuses.unshift({ kind: 'status', at, facts: { status, occurredAt } });
  }
  return statuses;
}
