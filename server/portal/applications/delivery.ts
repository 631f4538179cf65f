import { changeOwn } from '../../applications/by.ts';
import { note } from '../../applications/log.ts';
import { resend } from '../../http/operations/events.ts';
import { countAsCall } from '../../http/rate-limit.ts';
import { type Html, html, momentOf, section } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import { nothingHere } from '../../site/router.ts';
import { goTo, wrongFields } from '../../site/site.ts';
import type { ShownApplication } from '../../store/applications.ts';
import { type DueDelivery, findDueDelivery } from '../../store/deliveries/due.ts';
import { findEvent, isHidden, keptAttempts, type ListedAttempt, type ListedEvent } from '../../store/event-list.ts';
import { requestHeaders, sentFrom } from '../../webhooks/delivery/request-headers.ts';
import { byOf, ownPage, type PortalPage, type PortalVisit, pathOf } from '../page.ts';
import {
  happening,
  isAccepted,
  type Place,
  pathTo,
  placeOf,
  resultOf,
  STATES,
  stateBadge,
  timeIn,
} from './delivery-views.ts';
import { button, facts, literal, textView } from './views.ts';

/** An event with its state, its attempts and their exact requests, and a form that sends it again. */
export function deliveryPage(parts: Pick<Parts, 'store' | 'countCall' | 'rateLimitMultiplier'>): PortalPage {
  const { store } = parts;
  const find = async (application: ShownApplication, { params: { world, event: eventId = '' } }: PortalVisit) => {
    const place = await placeOf(parts, application, world);
    const event = await findEvent(store.db, { worldId: place.world.id, applicationId: application.id }, eventId);
    const delivery = event && !isHidden(event) ? await findDueDelivery(store.db, eventId) : undefined;
    if (event === undefined || delivery === undefined) throw nothingHere();
    // as for the API. A live event is not sent again either: a new URL would get a body that the developer may not see
    const isAllowed = place.world.kind !== 'live' || application.liveEventsSince !== null;
    const obstacle = obstacleTo(application, event, delivery, isAllowed);
    return { place, event, delivery, isAllowed, obstacle };
  };
  return ownPage(parts, {
    page: 'deliveries',
    below: '/:world/:event',
    done: { resent: 'The event is being sent again. Reload this page to see the attempt.' },
    show: async (application, visit) => {
      const { place, event, delivery, isAllowed, obstacle } = await find(application, visit);
      const attempts = (await keptAttempts(store.db, [event.eventId])).toReversed();
      return {
        title: happening(event),
        lead: html`${event.type}, ${timeIn(place.world, event.occurredAt)}`,
        body: html`
      <p>${stateBadge(event)} ${STATES.get(event.status)?.[1] ?? ''}</p>
      ${facts([
        ['Next attempt', nextOf(place, delivery, visit.visitor.realNow)],
        ['Webhook URL now', delivery.url === null ? html`none` : literal(delivery.url)],
        ['Event ID', literal(event.eventId)],
        ['Ride ID', literal(event.rideId)],
        ['More', html`<a href="${pathTo(place, 'rides', event.rideId)}">Ride timeline</a>`],
      ])}
      ${obstacle === null ? visit.ownForm(button('Resend')) : html`<p class="note">You can’t send this event again: ${obstacle}</p>`}
      ${section('attempts', 'Attempts', attempts.length === 0 ? html`<p>None yet.</p>` : html`${attempts.map((attempt) => attemptView(event, attempt, isAllowed ? null : settings(application)))}`)}
      ${section('body', 'Request body', isAllowed ? bodyView(event) : html`<p>It contains names and places of your passengers. ${settings(application)} to see it here.</p>`)}`,
      };
    },
    submit: async (shown, visit) => {
      const { place, event, obstacle } = await find(shown, visit);
      if (obstacle !== null) throw wrongFields({ '': 'This event can’t be sent again now.' });
      const [{ id, world }, by] = [place, byOf(visit)];
      const application = await changeOwn(store, by, id, async (_tx, own) => own);
      const caller = { world, application, realNow: by.realNow };
      await countAsCall(parts, world.kind === 'live' ? 'resendWebhookEvent' : 'resendEvent', caller, visit.res);
      await resend(parts, event.eventId, caller);
      const who = { application: id, developer: by.developerId, world: world.id };
      by.audit({ event: 'event_resent', result: 'succeeded', ...who });
      const detail = `${world.kind}: ${event.eventId}`;
      await changeOwn(store, by, id, (tx) => note(tx, id, by, { action: 'event_resent', detail }));
      return goTo(visit.res, pathTo(place, event.eventId), 'resent');
    },
  });
}

/** Why the event can't be sent again; null: it can. */
function obstacleTo(application: ShownApplication, event: ListedEvent, { url }: DueDelivery, isAllowed: boolean) {
  if (event.silent === 1) return html`the passenger has revoked your application’s access.`;
  if (url === null) return html`<a href="${pathOf(application.id, 'webhooks')}">set a webhook URL</a> first.`;
  return isAllowed ? null : html`it contains names and places of your passengers. ${settings(application)} first.`;
}

function settings({ id }: ShownApplication): Html {
  return html`<a href="${pathOf(id, 'settings')}#live-events">Turn on live events</a>`;
}

function nextOf({ world }: Place, { status, dueAt, realDueAt, leaseUntil }: DueDelivery, realNow: number): Html {
  if (status !== 'pending') return html`none`;
  if (leaseUntil !== null && leaseUntil > realNow) return html`under way`;
  return realDueAt === null ? timeIn(world, dueAt) : momentOf(realDueAt, 'medium');
}

function attemptView(
  event: ListedEvent,
  { number, startedAt, durationMs, sent, answer, ...result }: ListedAttempt,
  obstacle: Html | null,
): Html {
  const shown =
    obstacle === null || answer === null
      ? textView(`answer-${number}`, 'Start of the response', answer ?? '', true)
      : html`<p class="quiet">What your receiver returned is hidden, because it can contain your passengers’ data. ${obstacle} to see it.</p>`;
  const headers = sent === null ? [] : Object.entries(requestHeaders(event, sentFrom(sent)));
  return html`<article class="result${isAccepted(result.status) ? '' : ' failed'}">
        <h3>Attempt ${number}</h3>
        <p>${resultOf(result)}<br><span class="quiet">${momentOf(startedAt, 'medium')}, ${Math.round(durationMs)} ms</span></p>
        ${shown}
        ${textView(`headers-${number}`, 'Request headers', headers.map((header) => header.join(': ')).join('\n'))}
      </article>`;
}

function bodyView({ body }: ListedEvent): Html {
  return html`<p>Every attempt sends the same ${Buffer.byteLength(body)} bytes.</p>
      ${textView('exact', 'As sent', body)}
      ${textView('formatted', 'Formatted', JSON.stringify(JSON.parse(body), null, 2))}`;
}
