import { changeOwn } from '../../applications/by.ts';
import { note } from '../../applications/log.ts';
import type { World } from '../../domain/worlds/clock.ts';
import { resend } from '../../http/operations/events.ts';
import { countAsCall } from '../../http/rate-limit.ts';
import { type Html, html, NOTHING, secondOf, section } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import { nothingHere } from '../../site/router.ts';
import { goTo, wrongFields } from '../../site/site.ts';
import type { ShownApplication } from '../../store/applications.ts';
import { type DueDelivery, findDueDelivery } from '../../store/deliveries/due.ts';
import { findEvent, isHidden, keptAttempts, type ListedAttempt, type ListedEvent } from '../../store/event-list.ts';
import { requestHeaders, sentFrom } from '../../webhooks/delivery/request-headers.ts';
import { byOf, ownPage, type PortalPage, type PortalVisit, pathOf } from '../page.ts';
import { eventPath, happening, resultOf, ridePath, stateBadge, stateOf, timeIn, worldIn } from './delivery-views.ts';
import { button, facts, literal } from './views.ts';

type DeliveryParts = Pick<Parts, 'store' | 'countCall' | 'rateLimitMultiplier'>;

/** An event with its state, its attempts and their exact requests, and a form that sends it again. */
export function deliveryPage(parts: DeliveryParts): PortalPage {
  const { store } = parts;
  const find = async (application: ShownApplication, { params }: PortalVisit) => {
    const world = await worldIn(parts, application, params.world);
    const search = { worldId: world.id, applicationId: application.id };
    const event = await findEvent(store.db, search, params.event ?? '');
    const delivery = event && !isHidden(event) ? await findDueDelivery(store.db, event.eventId) : undefined;
    if (event === undefined || delivery === undefined) throw nothingHere();
    return { world, event, delivery, obstacle: obstacleTo(application, world, event, delivery) };
  };
  return ownPage(parts, {
    page: 'deliveries',
    below: '/:world/:event',
    done: { resent: 'The event is being sent again. Reload this page to see the attempt.' },
    show: async (application, visit) => {
      const { world, event, delivery, obstacle } = await find(application, visit);
      const attempts = await keptAttempts(store.db, [event.eventId]);
      return {
        title: happening(event),
        lead: html`${event.type}, ${timeIn(world, event.occurredAt)}`,
        body: html`
      <p>${stateBadge(event)} ${stateOf(event).why}</p>
      ${facts([
        ['Next attempt', nextOf(world, delivery, visit.visitor.realNow)],
        ['Webhook URL now', delivery.url === null ? html`none` : literal(delivery.url)],
        ['Event ID', literal(event.eventId)],
        ['Ride', html`<a href="${ridePath(application.id, world, event.rideId)}">${event.rideId}</a>`],
      ])}
      ${obstacle === null ? visit.ownForm(button('Resend')) : html`<p class="note">You can’t send this event again: ${obstacle}</p>`}
      ${section('attempts', 'Attempts', attempts.length === 0 ? html`<p>None yet.</p>` : html`${attempts.toReversed().map((attempt) => attemptView(event, attempt))}`)}
      ${section('body', 'Request body', maySeeBody(application, world) ? bodyView(event) : noBody(application))}`,
      };
    },
    submit: async (shown, visit) => {
      const { world, event, obstacle } = await find(shown, visit);
      if (obstacle !== null) throw wrongFields({ '': 'This event can’t be sent again now.' });
      const by = byOf(visit);
      const application = await changeOwn(store, by, shown.id, async (_tx, own) => own);
      const caller = { world, application, realNow: by.realNow };
      await countAsCall(parts, world.kind === 'live' ? 'resendWebhookEvent' : 'resendEvent', caller, visit.res);
      await resend(parts, event.eventId, caller);
      const { id } = application;
      by.audit({
        event: 'event_resent',
        result: 'succeeded',
        application: id,
        developer: by.developerId,
        world: world.id,
      });
      const detail = `${world.kind}: ${event.eventId}`;
      await changeOwn(store, by, id, (tx) => note(tx, id, by, { action: 'event_resent', detail }));
      return goTo(visit.res, eventPath(id, world, event.eventId), 'resent');
    },
  });
}

/** As for the API: the developer must have allowed it with their password. */
function maySeeBody({ liveEventsSince }: ShownApplication, { kind }: World): boolean {
  return kind !== 'live' || liveEventsSince !== null;
}

/** Why the event can't be sent again; null: it can. */
function obstacleTo(
  application: ShownApplication,
  world: World,
  event: ListedEvent,
  { url }: DueDelivery,
): Html | null {
  const link = (page: 'webhooks' | 'settings', words: string) =>
    html`<a href="${pathOf(application.id, page)}">${words}</a>`;
  if (event.silent === 1) return html`the passenger has revoked your application’s access.`;
  if (url === null) return html`there is no webhook URL. ${link('webhooks', 'Set one')} first.`;
  // otherwise a new URL would get bodies that the developer has not been allowed to see
  if (!maySeeBody(application, world)) return html`first turn on live events in ${link('settings', 'the settings')}.`;
  return null;
}

function nextOf(world: World, { status, dueAt, realDueAt, leaseUntil }: DueDelivery, realNow: number): Html {
  if (status !== 'pending') return html`none`;
  if (leaseUntil !== null && leaseUntil > realNow) return html`in progress`;
  if (realDueAt === null) return timeIn(world, dueAt);
  return realDueAt <= realNow ? html`now` : secondOf(realDueAt);
}

function attemptView(
  event: ListedEvent,
  { number, startedAt, durationMs, status, answer, error, sent }: ListedAttempt,
): Html {
  const isAccepted = status !== null && status >= 200 && status < 300;
  const ids = { answer: `answer-${number}`, headers: `headers-${number}` };
  const lines = sent === null ? [] : Object.entries(requestHeaders(event, sentFrom(sent)));
  return html`<article class="result${isAccepted ? html`` : html` failed`}">
        <h3>Attempt ${number}</h3>
        <p>${resultOf({ status, error })}</p>
        <p class="quiet">${secondOf(startedAt)}, ${Math.max(0, Math.round(durationMs))} ms</p>
        ${answer === null || answer === '' ? NOTHING : preView(ids.answer, 'Start of the response', answer)}
        ${lines.length === 0 ? NOTHING : preView(ids.headers, 'Request headers', lines.map(([name, value]) => `${name}: ${value}`).join('\n'))}
      </article>`;
}

/** A text that opens on demand. */
function preView(id: string, title: string, text: string): Html {
  return html`<details>
        <summary id="${id}">${title}</summary>
        <pre aria-labelledby="${id}"><code>${text}</code></pre>
      </details>`;
}

function bodyView({ body }: ListedEvent): Html {
  return html`<p>Every attempt sends the same ${Buffer.byteLength(body)} bytes.</p>
      ${preView('exact', 'As sent', body)}
      ${preView('formatted', 'Formatted', JSON.stringify(JSON.parse(body), null, 2))}`;
}

function noBody({ id }: ShownApplication): Html {
  return html`<p>The bodies of live events contain your passengers’ names and places. To see them here, turn on live events in
      <a href="${pathOf(id, 'settings')}">the settings</a>.</p>`;
}
