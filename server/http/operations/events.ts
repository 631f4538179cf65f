import type { HandlersTagged } from '../../../generated/server.ts';
import type { components } from '../../../generated/types.ts';
import { assertEventsAllowed } from '../../domain/application.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Parts } from '../../parts.ts';
import { presentInstant } from '../../present/instant.ts';
import { MOST_ATTEMPTS_KEPT } from '../../store/deliveries/record.ts';
import { resendEvent } from '../../store/deliveries/resend.ts';
import {
  type EventSearch,
  findEvent,
  isHidden,
  keptAttempts,
  type ListedAttempt,
  type ListedEvent,
  listEvents,
} from '../../store/event-list.ts';
import { holdWorld } from '../../store/worlds.ts';
import { assertUrl } from '../../webhooks/ranges.ts';
import type { Caller, Contexts } from '../caller.ts';
import { assertRoom } from './room.ts';

/**
 * Attempts in a page of events. Reading and writing more would delay all other calls.
 * @beyond the page ends before the event that would exceed it; `next_cursor` gets the next page
 * @heldBy tests/sandbox/listEvents.test.ts
 */
const MOST_ATTEMPTS_LISTED = 100;

type Schemas = components['schemas'];
type Recorded = Schemas['RecordedEvent'];

/** The query of a list of events. */
interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly ride_id?: string | undefined;
}

/** Webhook events of an application in the token's world, for any world and for sandboxes alone. */
export function eventHandlers(
  parts: Pick<Parts, 'store'>,
): Pick<HandlersTagged<'Webhooks', Contexts>, 'listWebhookEvents' | 'getWebhookEvent' | 'resendWebhookEvent'> &
  Pick<HandlersTagged<'Sandbox', Contexts>, 'listEvents' | 'resendEvent'> {
  const { store } = parts;

  const withAttempts = async (events: readonly ListedEvent[]): Promise<Recorded[]> => {
    const ids = events.map(({ eventId }) => eventId);
    const attemptsOf = new Map<string, ListedAttempt[]>(ids.map((id) => [id, []]));
    for (const attempt of await keptAttempts(store.db, ids)) attemptsOf.get(attempt.eventId)!.push(attempt);
    return events.map((event) => presentEvent(event, attemptsOf.get(event.eventId)!));
  };

  const pageFor = async (query: PageQuery, context: Caller, hadUrl?: true) => {
    const search = { ...searchFor(context), rideId: query.ride_id, ...(hadUrl && { hadUrl }) };
    const after = query.cursor === undefined ? undefined : await findEvent(store.db, search, query.cursor);
    if (query.cursor !== undefined && after === undefined) {
      const detail = { cursor: 'is not from this list, or its event was deleted' };
      throw new Refusal('bad_parameter', 'This cursor is not valid. Start again without one.', detail);
    }
    // reads one extra event, to know whether there is another page
    const found = await listEvents(store.db, search, { limit: query.limit + 1, after });
    const events = pageOf(found.slice(0, query.limit));
    return {
      events: await withAttempts(events.filter((event) => !isHidden(event))),
      next_cursor: found.length > events.length ? events.at(-1)!.eventId : null,
    };
  };

  return {
    listWebhookEvents: async ({ query, context }, reply) => {
      assertEventsAllowed(context);
      return reply(200, await pageFor(query, context));
    },

    getWebhookEvent: async ({ params, context }, reply) => {
      assertEventsAllowed(context);
      const event = await findEvent(store.db, searchFor(context), params.event_id);
      if (event === undefined || isHidden(event)) throw notFound();
      return reply(200, (await withAttempts([event]))[0]!);
    },

    resendWebhookEvent: async ({ params, context }, reply) => {
      assertEventsAllowed(context);
      await resend(parts, params.event_id, context);
      return reply(202);
    },

    listEvents: async ({ query, context }, reply) => {
      const { events, next_cursor } = await pageFor(query, context, true);
      const inSandbox = events.flatMap(({ delivery, attempts, ...event }) =>
        delivery === 'not_sent' ? [] : [{ ...event, delivery, attempts: attempts.map(withoutTime) }],
      );
      return reply(200, { events: inSandbox, next_cursor });
    },

    resendEvent: async ({ params, context }, reply) => {
      await resend(parts, params.event_id, context, true);
      return reply(202);
    },
  };
}

/**
 * Also for the portal. Throws Refusal `event_not_found`, `too_many_bytes` in sandboxes that are full, and
 * `no_webhook_url`.
 * @param hadUrl for the list of sandboxes alone: only events that had a webhook URL; without one now, they are dropped
 */
export async function resend(
  { store }: Pick<Parts, 'store'>,
  eventId: string,
  { world, application, realNow }: Pick<Caller, 'world' | 'application' | 'realNow'>,
  hadUrl?: true,
): Promise<void> {
  await store.transaction(async (tx) => {
    const held = await holdWorld(tx, world);
    await assertRoom(tx, held, application, 'bytes');
    const isThere = await resendEvent(tx, { eventId, applicationId: application.id, hadUrl }, held, realNow);
    if (!isThere) throw notFound();
    if (!hadUrl) assertUrl(held, application);
  });
}

function searchFor({ world, application }: Caller): EventSearch {
  return { worldId: world.id, applicationId: application.id };
}

function notFound(): Refusal {
  return new Refusal('event_not_found', 'There is no event with this ID.');
}

/** As many events as fit a page with all their attempts, so that a page stays fast. */
function pageOf(events: readonly ListedEvent[]): readonly ListedEvent[] {
  let listed = 0;
  const beyond = events.findIndex(({ attempts }, i) => {
    listed += Math.min(attempts, MOST_ATTEMPTS_KEPT);
    return i > 0 && listed > MOST_ATTEMPTS_LISTED;
  });
  return beyond === -1 ? events : events.slice(0, beyond);
}

function presentEvent(event: ListedEvent, attempts: readonly ListedAttempt[]): Recorded {
  return {
    event_id: event.eventId,
    ride_id: event.rideId,
    event_type: event.type,
    occurred_at: presentInstant(event.occurredAt),
    delivery: event.status,
    attempts: attempts.map(({ number, startedAt, durationMs, status, answer, error }) => ({
      ...{ number, started_at: presentInstant(startedAt), duration_ms: Math.max(0, Math.round(durationMs)) },
      ...{ status, answer, error },
    })),
    body: JSON.parse(event.body),
  };
}

function withoutTime({ number, status, answer, error }: Schemas['RecordedAttempt']): Schemas['DeliveryAttempt'] {
  return { number, status, answer, error };
}
