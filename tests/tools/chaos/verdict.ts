import { verifySignature } from '../../../client/webhooks/verify-signature.ts';
import { SECOND_MS } from '../../../server/domain/time.ts';
import type { Committed, Evidence } from './evidence.ts';
import type { Arrival } from './receiver.ts';
import { TOLD, type Told, toldOf } from './told.ts';

/** Two minutes of attempts, plus the longest duration of the last one. */
export const LATEST_MS = 130 * SECOND_MS;

export interface Verdict {
  readonly figures: Readonly<Record<string, number>>;
  /** One sentence for each broken promise. */
  readonly problems: readonly string[];
}

/**
 * Checks a run against the promises about webhooks: none lost, invented, changed, unsigned or out of a ride's order.
 */
export function judge(evidence: Evidence): Verdict {
  return { figures: figuresOf(evidence), problems: [...lost(evidence), ...madeUp(evidence), ...wrongEvents(evidence)] };
}

/** Problems with events: a wrong order within a ride, or changes and events that do not match. */
export function wrongEvents(evidence: Pick<Evidence, 'events' | 'rides' | 'shown'>): string[] {
  return [...disordered(evidence), ...untold(evidence)];
}

function* lost({ events, arrivals, starts }: Evidence): Generator<string> {
  const byEvent = grouped(arrivals, ({ eventId }) => eventId);
  for (const event of events) {
    const own = byEvent.get(event.eventId) ?? [];
    const at = acknowledgedAt(event, own);
    const name = nameOf(event);
    if (at === null)
      yield `${name} was never acknowledged (arrivals: ${own.length}, delivery status: ${event.delivery})`;
    else if (at - countedFrom(event, starts, at) > LATEST_MS) yield `${name} took longer than ${LATEST_MS} ms`;
    if (event.delivery === 'given_up' || event.delivery === 'dropped')
      yield `${name} has the delivery status ${event.delivery}`;
  }
}

export function* madeUp({
  events,
  arrivals,
  verificationToken,
}: Pick<Evidence, 'events' | 'arrivals' | 'verificationToken'>): Generator<string> {
  const bodies = new Map(events.map(({ eventId, body }) => [eventId, Buffer.from(body)]));
  for (const { eventId, body, signature } of arrivals) {
    const stored = eventId === null ? undefined : bodies.get(eventId);
    if (stored === undefined) yield `The event ${eventId} arrived, but is not in the database`;
    else if (!stored.equals(body)) yield `The event ${eventId} arrived with a different body than in the database`;
    try {
      verifySignature(body, signature, verificationToken);
    } catch (error) {
      yield `The event ${eventId} arrived with a wrong signature: ${error}`;
    }
  }
}

function* disordered({ events }: Pick<Evidence, 'events'>): Generator<string> {
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
function* untold({ events, rides, shown }: Pick<Evidence, 'events' | 'rides' | 'shown'>): Generator<string> {
  const eventKeys = new Set(events.map((event) => keyOf(event.rideId, toldIn(event), event.occurredAt)));
  const changeKeys = rides.flatMap((ride) => toldOf(ride).map(([told, at]) => keyOf(ride.id, told, at)));
  const changes = new Set(changeKeys);
  for (const key of changeKeys) if (!eventKeys.has(key)) yield `No event reports ${key}`;
  for (const key of eventKeys) if (!changes.has(key)) yield `An event reports a change that did not happen: ${key}`;
  const told = new Set(events.map((event) => `${event.rideId} ${toldIn(event)}`));
  for (const [rideId, seen] of shown) {
    for (const one of seen)
      if (!told.has(`${rideId} ${one}`)) yield `No event reports a status that the API returned: ${rideId} ${one}`;
  }
}

function figuresOf({ events, rides, arrivals, starts }: Evidence): Record<string, number> {
  const byEvent = grouped(arrivals, ({ eventId }) => eventId);
  const times = events.flatMap((event) => {
    const at = acknowledgedAt(event, byEvent.get(event.eventId) ?? []);
    return at === null ? [] : [{ fromEvent: at - event.createdAt, fromStart: at - countedFrom(event, starts, at) }];
  });
  const agains = [...byEvent.values()].map((own) => own.filter((one) => one.acknowledgedAt !== null).length - 1);
  return {
    rides: rides.length,
    'rides completed': rides.filter(({ status }) => status === 'droppedOff').length,
    'rides canceled': rides.filter(({ status }) => status === 'canceled').length,
    'events committed': events.length,
    'events acknowledged': times.length,
    'webhook requests received': arrivals.length,
    'webhook requests that got an error, a reset or no response': arrivals.filter(
      ({ mood }) => !/^(ok|slow)$/.test(mood),
    ).length,
    'webhook requests whose sender disconnected before the response': arrivals.filter(isCutOff).length,
    'events acknowledged more than once': agains.filter((count) => count > 0).length,
    'highest number of acknowledgments of an event': 1 + Math.max(-1, ...agains),
    'longest time from an event to its acknowledgment, ms': Math.max(0, ...times.map(({ fromEvent }) => fromEvent)),
    'longest time from an event, or from the latest start, to its acknowledgment, ms': Math.max(
      0,
      ...times.map(({ fromStart }) => fromStart),
    ),
  };
}

function acknowledgedAt({ body }: Committed, arrivals: readonly Arrival[]): number | null {
  const bytes = Buffer.from(body);
  const times = arrivals.flatMap((arrival) => (arrival.body.equals(bytes) ? (arrival.acknowledgedAt ?? []) : []));
  return times.length === 0 ? null : Math.min(...times);
}

/** A kill delays delivery, so the time counts from the latest start before the arrival. */
function countedFrom({ createdAt }: Committed, starts: readonly number[], at: number): number {
  return Math.max(createdAt, ...starts.filter((start) => start <= at));
}

function isCutOff({ mood, acknowledgedAt }: Arrival): boolean {
  return (mood === 'ok' || mood === 'slow') && acknowledgedAt === null;
}

function toldIn({ type, body }: Committed): Told {
  return type === 'ride.receipt.ready' ? 'receipt' : JSON.parse(body).event.status;
}

function rank(event: Committed): number {
  return TOLD.indexOf(toldIn(event));
}

export function nameOf(event: Committed): string {
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
