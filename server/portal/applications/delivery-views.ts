import { DAY_MS } from '../../domain/time.ts';
import type { World } from '../../domain/worlds/clock.ts';
import { LIVE_WORLD } from '../../domain/worlds/live.ts';
import { type Html, html, momentOf, NOTHING } from '../../pages/page.ts';
import type { Parts } from '../../parts.ts';
import { nothingHere } from '../../site/router.ts';
import type { ShownApplication } from '../../store/applications.ts';
import { type FoundDelivery, lookForDeliveries } from '../../store/delivery-list.ts';
import type { AttemptRow } from '../../store/webhook-rows.ts';
import { findWorldOf } from '../../store/worlds.ts';
import { pathOf } from '../page.ts';

/** Where a page about deliveries is: in a world of an application. */
export interface Place {
  readonly id: string;
  readonly world: World;
}

/** Throws Refusal `not_found` for a world of another application. @param name as for `findWorldOf` */
export async function placeOf({ store }: Pick<Parts, 'store'>, { id }: ShownApplication, name = ''): Promise<Place> {
  const world = await findWorldOf(store.db, id, name);
  if (world === undefined) throw nothingHere();
  return { id, world };
}

export function pathTo({ id, world }: Place, ...rest: readonly string[]): string {
  return [pathOf(id, 'deliveries'), ...[world.id, ...rest].map(encodeURIComponent)].join('/');
}

export function listPath({ id }: Pick<Place, 'id'>, filters: Readonly<Record<string, string>> = {}): string {
  const used = Object.entries(filters).filter(([, value]) => value !== '');
  return `${pathOf(id, 'deliveries')}?${new URLSearchParams(used)}`;
}

export const GIVEN_UP = 'given_up';

/** The name of each state, and what it means. */
export const STATES: ReadonlyMap<string, readonly [label: string, why: string]> = new Map([
  ['pending', ['Waiting', 'An attempt is due or under way.']],
  ['delivered', ['Delivered', 'Your receiver accepted it.']],
  [GIVEN_UP, ['Failed', 'Your receiver accepted none of the latest attempts, and no retry is left.']],
  ['dropped', ['Dropped', 'Your application no longer had a webhook URL, or the passenger revoked its access.']],
  ['not_sent', ['Not sent', 'Your application had no webhook URL when it happened.']],
]);

export function stateBadge({ status }: { readonly status: string }): Html {
  return html`<span class="badge${status === GIVEN_UP ? '' : ' calm'}">${STATES.get(status)?.[0] ?? status}</span>`;
}

/** What happened to the ride. Reads no personal data from the body. */
export function happening({ type, body }: Pick<FoundDelivery, 'type' | 'body'>): string {
  if (type === 'ride.receipt.ready') return 'Receipt ready';
  const { status = type } = JSON.parse(body).event ?? {};
  return `Ride ${String(status).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}

/** The result of an attempt as sentences. */
export function resultOf({ status, error }: Pick<AttemptRow, 'status' | 'error'>): string {
  if (status === null) return error ?? 'There was no response.';
  if (isAccepted(status)) return `Your receiver accepted it with status ${status}.`;
  return `Your receiver rejected it with status ${status}. ${error ?? ''}`;
}

export function isAccepted(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** An instant of a world's clock. */
export function timeIn({ kind }: World, at: number): Html {
  return kind === 'live' ? momentOf(at, 'medium') : html`${momentOf(at, 'medium')} on the sandbox’s clock`;
}

/** How far back the overview looks for failures. */
const LATELY_MS = 7 * DAY_MS;

/** Leads to the live events that failed lately, if any. */
export async function failedNote({ store }: Pick<Parts, 'store'>, { id }: ShownApplication, realNow: number) {
  const [since, state] = [realNow - LATELY_MS, GIVEN_UP];
  const failed = { worldId: LIVE_WORLD.id, applicationId: id, state, since };
  const { deliveries, older } = await lookForDeliveries(store.db, failed, null);
  if (deliveries.length === 0) return NOTHING;
  const path = listPath({ id }, { state, since: new Date(since).toISOString().slice(0, 16) });
  const some = `${deliveries.length}${older === null ? '' : ' or more'}`;
  return html`<p class="problem"><a href="${path}">Failed live events of the last seven days: ${some}</a>. See why, and send them again.</p>`;
}
