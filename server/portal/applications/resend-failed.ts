import { changeOwn } from '../../applications/by.ts';
import { note } from '../../applications/log.ts';
import { webhookUrlIn } from '../../domain/application.ts';
import { Refusal } from '../../domain/refusal.ts';
import { DAY_MS } from '../../domain/time.ts';
import { worldTime } from '../../domain/worlds/clock.ts';
import { endTurn } from '../../http/calls-at-once.ts';
import { assertRoom } from '../../http/operations/room.ts';
import { countAsCall } from '../../http/rate-limit.ts';
import { type Html, html, NOTHING, section } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import { labeled, type Problems } from '../../sign-in/views/form.ts';
import { nothingHere } from '../../site/router.ts';
import { incompleteForm, wrongFields } from '../../site/site.ts';
import { ApplicationGone, type ShownApplication } from '../../store/applications.ts';
import { cancelResend, findResend } from '../../store/deliveries/resends.ts';
import type { ResendRow } from '../../store/webhook-rows.ts';
import { WorldGone } from '../../store/worlds.ts';
import { startRange } from '../../webhooks/ranges.ts';
import { byOf, type PortalVisit, pathOf } from '../page.ts';
import { type Place, timeIn } from './delivery-views.ts';
import { button } from './views.ts';

type ResendParts = Pick<Parts, 'store' | 'countCall' | 'rateLimitMultiplier'>;

/** How far back the form looks, if nothing else is typed. */
const USUALLY_MS = 7 * DAY_MS;

/** A form that sends again all events of a world that failed, and how far the latest such resend is. */
export async function resendFailed(
  { store }: ResendParts,
  { world }: Place,
  application: ShownApplication,
  { ownForm, visitor, query }: PortalVisit,
  problems: Problems,
): Promise<Html> {
  const of = { applicationId: application.id, worldId: world.id };
  const latest = await findResend(store.db, of);
  if (latest?.state === 'running')
    return section(
      'again',
      'Sending failed events again',
      html`<p role="status">${progressOf(latest)} <progress max="${latest.events}" value="${latest.delivered + latest.failed}" aria-labelledby="again"></progress></p>
      ${ownForm(button('Cancel', 'plain'), { world: world.id, action: 'cancel' })}
      <p class="quiet">Reload this page to see how far it is.</p>`,
    );
  const since = new Date(worldTime(world.clock, visitor.realNow) - USUALLY_MS).toISOString().slice(0, 16);
  const typed = typeof query.since === 'string' && query.since !== '' ? query.since : since;
  const field = { name: 'failed_since', label: 'Failed since (UTC)', problem: problems.failed_since ?? problems[''] };
  const form = ownForm(
    html`${labeled(field, html`<input id="failed_since" name="failed_since" type="datetime-local" value="${typed}" required>`)}
      ${button('Resend all failed')}`,
    { world: world.id, action: 'resend' },
  );
  const obstacle = obstacleTo(application, { id: application.id, world });
  return section(
    'again',
    'Send failed events again',
    html`<p>This sends the events of all rides that failed since then. The filter below doesn’t apply. The events of each ride arrive in order, and new events don’t wait for them.</p>
      ${latest === undefined ? NOTHING : html`<p class="quiet">Latest, since ${timeIn(world, latest.since)}: ${progressOf(latest)}</p>`}
      ${obstacle ?? form}`,
  );
}

function progressOf({ events, delivered, failed, state }: ResendRow): Html {
  const end = state === 'canceled' ? ' You canceled the rest.' : '';
  return html`${delivered} of ${events} ${events === 1 ? 'event' : 'events'} delivered, ${failed} failed again.${end}`;
}

/** Why nothing can be sent again. As for one event: see `delivery.ts`. */
function obstacleTo(application: ShownApplication, { id, world }: Place): Html | null {
  if (webhookUrlIn(world, application) === null)
    return html`<p class="note"><a href="${pathOf(id, 'webhooks')}">Set a webhook URL</a> first.</p>`;
  if (world.kind === 'sandbox' || application.liveEventsSince !== null) return null;
  return html`<p class="note">They contain names and places of your passengers. <a href="${pathOf(id, 'settings')}#live-events">Turn on live events</a> first.</p>`;
}

/** Handles the forms of `resendFailed`. @returns what happened, for the page */
export async function submitResend(
  parts: ResendParts,
  { world }: Place,
  shown: ShownApplication,
  visit: PortalVisit,
): Promise<'resending' | 'canceled'> {
  const { store } = parts;
  const [by, { id }] = [byOf(visit), shown];
  const application = await changeOwn(store, by, id, async (_tx, own) => own);
  const caller = { application, world, realNow: by.realNow, at: worldTime(world.clock, by.realNow) };
  const action = visit.form.text('action');
  if (action === 'cancel') {
    await store.transaction((tx) => cancelResend(tx, { applicationId: id, worldId: world.id }, by.realNow));
    return 'canceled';
  }
  const since = Date.parse(`${visit.form.text('failed_since')}Z`);
  if (action !== 'resend') throw incompleteForm();
  if (Number.isNaN(since)) throw wrongFields({ failed_since: 'Enter a date and a time.' });
  if (obstacleTo(shown, { id, world }) !== null) throw wrongFields({ '': 'Events can’t be sent again now.' });
  await countAsCall(parts, 'resendWebhookEvents', caller, visit.res);
  // others do not wait for the search
  endTurn(visit.res.req);
  const room = (tx: Parameters<typeof assertRoom>[0]) => assertRoom(tx, world, application, 'bytes');
  const { events } = await startRange(parts, caller, { since, failedOnly: true }, room).catch((error: unknown) => {
    if (error instanceof ApplicationGone || error instanceof WorldGone) throw nothingHere();
    const isRefused = error instanceof Refusal && ['resend_running', 'bad_parameter'].includes(error.code);
    throw isRefused ? wrongFields({ failed_since: error.description }) : error;
  });
  by.audit({ event: 'event_resent', result: 'succeeded', application: id, developer: by.developerId, world: world.id });
  const detail = `${world.kind}: ${events} since ${new Date(since).toISOString()}`;
  await changeOwn(store, by, id, (tx) => note(tx, id, by, { action: 'events_resent', detail }));
  return 'resending';
}
