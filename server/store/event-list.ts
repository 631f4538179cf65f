import { sql } from 'kysely';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { listOf } from './engine/dialect.ts';
import { STORED_EVENT, type StoredEvent, withAllAttempts } from './events.ts';
import type { Queries } from './schema.ts';
import type { AttemptRow, WebhookEventRow } from './webhook-rows.ts';

/** Selects the events of an application in a sandbox. */
export interface EventSearch {
  readonly worldId: string;
  readonly applicationId: string;
  /** Absent: all rides. */
  readonly rideId?: string | undefined;
}

/** A position in a list of events. */
export type EventPlace = Pick<WebhookEventRow, 'occurredAt' | 'eventId'>;

/** An event's position in a list; undefined if the list does not contain it. */
export async function findEventPlace(
  db: Queries,
  search: EventSearch,
  eventId: string,
): Promise<EventPlace | undefined> {
  return searched(db, search)
    .select(['events.occurredAt', 'events.eventId'])
    .where('events.eventId', '=', eventId)
    .executeTakeFirst();
}

/**
 * The latest events, newest first by the world's clock, in a stable order.
 * @param after the last event of the previous page; absent: the first page
 */
export async function listEvents(
  db: Queries,
  search: EventSearch,
  { limit, after }: { readonly limit: number; readonly after?: EventPlace | undefined },
): Promise<StoredEvent[]> {
  const rows = await searched(db, search)
    .innerJoin('deliveries', 'deliveries.eventId', 'events.eventId')
    .select([...STORED_EVENT, 'events.body'])
    .$if(after !== undefined, (query) =>
      query.where((row) =>
        row(row.refTuple('events.occurredAt', 'events.eventId'), '<', row.tuple(after!.occurredAt, after!.eventId)),
      ),
    )
    .orderBy('events.occurredAt', 'desc')
    .orderBy('events.eventId', 'desc')
    .limit(limit)
    .execute();
  return rows.map(withAllAttempts);
}

/** The second condition is that of the partial index for lists. */
function searched(db: Queries, { worldId, applicationId, rideId }: EventSearch) {
  return db
    .selectFrom('events')
    .where('events.worldId', '=', worldId)
    .where('events.worldId', '<>', sql.lit(LIVE_WORLD.id))
    .where('events.applicationId', '=', applicationId)
    .$if(rideId !== undefined, (query) => query.where('events.rideId', '=', rideId!));
}

/** An attempt as an event list shows it. */
export type ListedAttempt = Readonly<Pick<AttemptRow, 'eventId' | 'number' | 'status' | 'answer' | 'error'>>;

/** The stored attempts of each event, in order. */
export async function keptAttempts(db: Queries, eventIds: readonly string[]): Promise<ListedAttempt[]> {
  return db
    .selectFrom('attempts')
    .select(['eventId', 'number', 'status', 'answer', 'error'])
    .where('eventId', 'in', listOf(db, eventIds))
    .orderBy('eventId')
    .orderBy('number')
    .execute();
}
