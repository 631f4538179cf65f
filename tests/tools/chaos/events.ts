import { SECOND_MS } from '../../../server/domain/time.ts';
import { signatureOf } from '../../client/support/signed.ts';
import type { Committed, Evidence } from './evidence.ts';
import { TOLD, type Told, toldOf } from './told.ts';

/** Two minutes of attempts, plus the longest duration of the last one. */
export const LATEST_MS = 130 * SECOND_MS;

/** Events that were not delivered, or delivered late. */
export function* lost({ events, arrivals, strikes }: Evidence): Generator<string> {
  const acknowledged = acknowledgments(arrivals);
  // a strike delays delivery, so the time counts from its end
  const starts = strikes.flatMap(({ until }) => until ?? []);
  for (const event of events) {
    const [at] = acknowledged.get(event.eventId) ?? [];
    if (at === undefined) {
      yield `${nameOf(event)} was never acknowledged; its delivery status is ${event.delivery}`;
      continue;
    }
    if (event.delivery !== 'delivered')
      yield `${nameOf(event)} was acknowledged, but its delivery status is ${event.delivery}`;
    const from = Math.max(event.createdAt, ...starts.filter((start) => start <= at));
    // retries in a sandbox wait for its clock
    if (event.environment === 'production' && at - from > LATEST_MS)
      yield `${nameOf(event)} took longer than ${LATEST_MS} ms`;
  }
}

/** When the receiver acknowledged each event, the first time first. */
export function acknowledgments(arrivals: Evidence['arrivals']): Map<string, number[]> {
  const known = arrivals.flatMap(({ eventId, acknowledgedAt: at }) => (eventId && at ? [{ eventId, at }] : []));
  const groups = [...grouped(known, ({ eventId }) => eventId)];
  return new Map(groups.map(([id, own]) => [id, own.map(({ at }) => at).sort((a, b) => a - b)]));
}

/** Webhooks that are invented, changed or not signed. */
export function* madeUp({ events, arrivals, verificationToken }: Evidence): Generator<string> {
  const bodies = new Map(events.map(({ eventId, body }) => [eventId, Buffer.from(body)]));
  for (const { eventId, body, signature } of arrivals) {
    const stored = eventId === null ? undefined : bodies.get(eventId);
    if (stored === undefined) yield `The event ${eventId} arrived, but is not in the database`;
    else if (!stored.equals(body)) yield `The event ${eventId} arrived with a different body than in the database`;
    const right = Object.values(verificationToken)
      .flat()
      .map((token) => signatureOf(body, token));
    if (!right.some((one) => signature?.includes(one))) yield `The event ${eventId} arrived with a wrong signature`;
  }
}

/** Events of a ride in a wrong order. */
export function* disordered({ events }: Evidence): Generator<string> {
  for (const [rideId, own] of grouped(events, (event) => event.rideId)) {
    const inOrder = own.toSorted((a, b) => a.occurredAt - b.occurredAt);
    for (const [i, event] of inOrder.entries()) {
      const { event_id, occurred_at, event: ride } = JSON.parse(event.body);
      const isItself = event_id === event.eventId && ride.ride_id === rideId;
      if (!isItself || Date.parse(occurred_at) !== event.occurredAt)
        yield `${nameOf(event)} has a body with a different id, ride or time`;
      const before = inOrder[i - 1];
      if (before === undefined) continue;
      if (before.occurredAt === event.occurredAt) yield `${nameOf(before)} has the same time as ${toldIn(event)}`;
      if (rank(before) >= rank(event)) yield `${nameOf(before)} comes before ${toldIn(event)}`;
    }
  }
}

/** Ride changes without an event, and events without a change. */
export function* untold({ events, rides, shown }: Evidence): Generator<string> {
  const eventKeys = new Set(events.map((event) => keyOf(event.rideId, toldIn(event), event.occurredAt)));
  const changeKeys = new Set(rides.flatMap((ride) => toldOf(ride).map(([told, at]) => keyOf(ride.id, told, at))));
  for (const key of changeKeys) if (!eventKeys.has(key)) yield `No event reports ${key}`;
  for (const key of eventKeys) if (!changeKeys.has(key)) yield `An event reports a change that did not happen: ${key}`;
  const told = new Set(events.map((event) => `${event.rideId} ${toldIn(event)}`));
  const seen = [...shown].flatMap(([rideId, statuses]) => [...statuses].map((status) => `${rideId} ${status}`));
  for (const one of seen) if (!told.has(one)) yield `No event reports a status that the API returned: ${one}`;
}

function toldIn({ type, body }: Committed): Told {
  return type === 'ride.receipt.ready' ? 'receipt' : JSON.parse(body).event.status;
}

function rank(event: Committed): number {
  return TOLD.indexOf(toldIn(event));
}

function nameOf(event: Committed): string {
  return `The event ${event.eventId} (${toldIn(event)}, ride ${event.rideId})`;
}

function keyOf(rideId: string, told: Told, at: number): string {
  return `${rideId} ${told} at ${new Date(at).toISOString()}`;
}

export function grouped<T, Key>(items: readonly T[], keyOfItem: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) groups.set(keyOfItem(item), [...(groups.get(keyOfItem(item)) ?? []), item]);
  return groups;
}
