import { type ExpressionBuilder, sql } from 'kysely';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { listOf } from './engine/dialect.ts';
import { type StoredEvent, storedEvents } from './events.ts';
import type { Database, Queries } from './schema.ts';
import type { AttemptRow, WebhookEventRow } from './webhook-rows.ts';

export interface EventSearch {
  readonly worldId: string;
  readonly applicationId: string;
  /** Absent: all rides. */
  readonly rideId?: string | undefined;
}

export type EventPlace = Pick<WebhookEventRow, 'occurredAt' | 'eventId'>;

export async function findEventPlace(
  db: Queries,
  search: EventSearch,
  eventId: string,
): Promise<EventPlace | undefined> {
  return db
    .selectFrom('events')
    .select(['events.occurredAt', 'events.eventId'])
    .where(isSearched(search))
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
  return (
    storedEvents(db)
      .where(isSearched(search))
      .$if(after !== undefined, (query) =>
        query.where((row) =>
          row(row.refTuple('events.occurredAt', 'events.eventId'), '<', row.tuple(after!.occurredAt, after!.eventId)),
        ),
      )
      // for a ride, as an expression: in the order of an index, PostgreSQL too could read all of the world
      .orderBy(search.rideId === undefined ? 'events.occurredAt' : sql`events.occurred_at + 0`, 'desc')
      .orderBy('events.eventId', 'desc')
      .limit(limit)
      .execute()
  );
}

/**
 * For all rides, the world has two conditions: the second is that of the partial index for lists. It would also find the
 * events of one ride, but read all of the world for them.
 */
function isSearched({ worldId, applicationId, rideId }: EventSearch) {
  return (row: ExpressionBuilder<Database, 'events'>) =>
    row.and([
      row('events.worldId', '=', worldId),
      row('events.applicationId', '=', applicationId),
      rideId === undefined ? row('events.worldId', '<>', sql.lit(LIVE_WORLD.id)) : row('events.rideId', '=', rideId),
    ]);
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
