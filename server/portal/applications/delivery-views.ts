import { DAY_MS } from '../../domain/time.ts';
import type { World } from '../../domain/worlds/clock.ts';
import { LIVE_WORLD } from '../../domain/worlds/live.ts';
import { type Html, html, NOTHING, secondOf } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import { nothingHere } from '../../site/router.ts';
import type { ShownApplication } from '../../store/applications.ts';
import { type FoundDelivery, lookForDeliveries } from '../../store/delivery-list.ts';
import type { AttemptRow, WebhookEventRow } from '../../store/webhook-rows.ts';
import { findWorldOf } from '../../store/worlds.ts';
import { pathOf } from '../page.ts';

interface State {
  readonly label: string;
  readonly why: string;
  readonly isBad?: boolean;
}

/** By the stored state. */
export const STATES: ReadonlyMap<string, State> = new Map([
  ['pending', { label: 'Waiting', why: 'It waits for an attempt.' }],
  ['delivered', { label: 'Delivered', why: 'Your receiver accepted it.' }],
  ['given_up', { label: 'Failed', why: 'Your receiver accepted no attempt, and no retry is left.', isBad: true }],
  [
    'dropped',
    { label: 'Dropped', why: 'Your application no longer had a webhook URL, or no longer the passenger’s access.' },
  ],
  ['not_sent', { label: 'Not sent', why: 'Your application had no webhook URL when it happened.' }],
]);

export function stateOf({ status }: { readonly status: string }): State {
  // of a newer server
  return STATES.get(status) ?? { label: status, why: '' };
}

export function stateBadge(event: { readonly status: string }): Html {
  const { label, isBad = false } = stateOf(event);
  return html`<span class="badge${isBad ? '' : ' calm'}">${label}</span>`;
}

/** What happened to the ride. Reads no personal data from the body. */
export function happening({ type, body }: Pick<WebhookEventRow, 'type' | 'body'>): string {
  if (type === 'ride.receipt.ready') return 'Receipt ready';
  const status: unknown = JSON.parse(body).event?.status;
  return typeof status === 'string' ? `Ride ${wordsOf(status)}` : type;
}

/** `pickedUp` as `picked up`. */
export function wordsOf(status: string): string {
  return status.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The result of an attempt as sentences. */
export function resultOf({ status, error }: Pick<AttemptRow, 'status' | 'error'>): string {
  if (status === null) return error ?? 'There was no response.';
  if (status >= 200 && status < 300) return `Your receiver accepted it with status ${status}.`;
  return `Your receiver rejected it with status ${status}.${error === null ? '' : ` ${error}`}`;
}

export function counted(count: number, one: string): string {
  return `${count === 0 ? 'no' : count} ${one}${count === 1 ? '' : 's'}`;
}

type OfWorld = Pick<World, 'id'>;

export function deliveriesPath(id: string, query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(query);
  return `${pathOf(id, 'deliveries')}${search.size === 0 ? '' : `?${search}`}`;
}

export function eventPath(id: string, world: OfWorld, eventId: string): string {
  return `${pathOf(id, 'deliveries')}/${[world.id, eventId].map(encodeURIComponent).join('/')}`;
}

export function ridePath(id: string, world: OfWorld, rideId: string): string {
  return `${pathOf(id, 'deliveries')}/${[world.id, 'rides', rideId].map(encodeURIComponent).join('/')}`;
}

/** The world in the path of a page. Throws Refusal `not_found` for one of another application. */
export async function worldIn(
  { store }: Pick<Parts, 'store'>,
  application: ShownApplication,
  name = '',
): Promise<World> {
  const world = await findWorldOf(store.db, application.id, name);
  if (world === undefined) throw nothingHere();
  return world;
}

/** An instant of a world's clock. */
export function timeIn({ id }: OfWorld, at: number): Html {
  return id === LIVE_WORLD.id ? secondOf(at) : html`${secondOf(at)} on the sandbox’s clock`;
}

export function deliveryItem({ id }: Pick<ShownApplication, 'id'>, world: OfWorld, event: FoundDelivery): Html {
  const { attempts, answered, error } = event;
  const result = attempts === 0 ? NOTHING : html` ${resultOf({ status: answered, error })}`;
  return html`<li><a href="${eventPath(id, world, event.eventId)}">${happening(event)}</a> ${stateBadge(event)}<br>
        ${timeIn(world, event.occurredAt)} · ${counted(attempts, 'attempt')}.${result}<br>
        <span class="quiet">${event.type} of the ride <a href="${ridePath(id, world, event.rideId)}">${event.rideId}</a></span></li>`;
}

/** How far back the overview looks for failures. */
const LATELY_MS = 7 * DAY_MS;

/** Leads to the live events that failed lately, if any. */
export async function failedNote({ store }: Pick<Parts, 'store'>, { id }: ShownApplication, realNow: number) {
  const since = realNow - LATELY_MS;
  const failed = { worldId: LIVE_WORLD.id, applicationId: id, state: 'given_up', since };
  const { deliveries, older } = await lookForDeliveries(store.db, failed, null);
  if (deliveries.length === 0) return NOTHING;
  const path = deliveriesPath(id, { state: 'given_up', since: new Date(since).toISOString().slice(0, 16) });
  const some = `${deliveries.length}${older === null ? '' : ' or more'}`;
  return html`<p class="problem"><a href="${path}">Failed live events of the last seven days: ${some}</a>. See why, and send them again.</p>`;
}
