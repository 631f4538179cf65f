import { sql } from 'kysely';
import { type EventPlace, type EventSearch, eventsOfRides, isHidden, isSearched } from './event-list.ts';
import type { Queries } from './schema.ts';

/**
 * Events that a page of the portal looks at, whether they match its filters or not, so that it is as fast with many events.
 * @beyond a link looks at older ones
 * @heldBy tests/portal/deliveries.test.ts
 */
export const MOST_EVENTS_LOOKED_AT = 100;

export interface DeliverySearch extends EventSearch {
  readonly type?: string | undefined;
  readonly state?: string | undefined;
  /** World time, and exclusive of the end. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/**
 * Of the latest events, those that match and are not hidden, newest first by the world's clock, each with its latest
 * attempt. States other than those of most events have an index.
 * @param before where the page before ended; null: the first page
 * @returns `older`: where this page ends; null when there are no more
 */
export async function lookForDeliveries(db: Queries, search: DeliverySearch, before: EventPlace | null) {
  const { worldId, applicationId, rideId, type, state, since, until } = search;
  const isUnusual = rideId === undefined && state !== undefined && state !== 'pending' && state !== 'delivered';
  const of = isUnusual ? 'deliveries' : 'events';
  const ends = [before, until === undefined ? null : { occurredAt: until, eventId: '' }].filter((end) => end !== null);
  const rows = await eventsOfRides(db)
    .leftJoin('attempts', (on) =>
      on
        .onRef('attempts.eventId', '=', 'events.eventId')
        .on('attempts.number', '=', (row) => row('deliveries.attempts', '+', row.ref('deliveries.earlierAttempts'))),
    )
    .select([`${of}.occurredAt`, 'attempts.status as answered', 'attempts.error'])
    .$if(!isUnusual, (query) => query.where(isSearched(search)))
    .$if(isUnusual, (query) =>
      query
        .where('deliveries.applicationId', '=', applicationId)
        .where('deliveries.worldId', '=', worldId)
        .where(sql<string>`deliveries.status`, '=', state!)
        // the condition of the index
        .where(sql<boolean>`not (deliveries.status in ('pending', 'delivered'))`),
    )
    .where((row) =>
      row.and([
        ...ends.map((end) =>
          row(row.refTuple(`${of}.occurredAt`, `${of}.eventId`), '<', row.tuple(end.occurredAt, end.eventId)),
        ),
        ...(since === undefined ? [] : [row(`${of}.occurredAt`, '>=', since)]),
      ]),
    )
    // for a ride, as in listEvents
    .orderBy(rideId === undefined ? `${of}.occurredAt` : sql`events.occurred_at + 0`, 'desc')
    .orderBy(`${of}.eventId`, 'desc')
    .limit(MOST_EVENTS_LOOKED_AT + 1)
    .execute();
  const looked = rows.slice(0, MOST_EVENTS_LOOKED_AT);
  const matches = (row: (typeof rows)[number]) =>
    !isHidden(row) && (type ?? row.type) === row.type && (state ?? row.status) === row.status;
  return { deliveries: looked.filter(matches), older: rows.length > looked.length ? looked.at(-1)! : null };
}

export type FoundDelivery = Awaited<ReturnType<typeof lookForDeliveries>>['deliveries'][number];
