import { sql } from 'kysely';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { MOST_ATTEMPTS_KEPT } from './deliveries/record.ts';
import { listOf } from './dialect.ts';
import { STORED_EVENT, type StoredEvent, withAllAttempts } from './events.ts';
import type { AttemptRow, Queries, WebhookEventRow } from './schema.ts';

/** Characters of a receiver's response, or of an error, that a list of events shows. */
export const MOST_CHARACTERS_LISTED = 1000;

/** Which events of an application in a sandbox a list has. */
export interface EventSearch {
  readonly worldId: string;
  readonly applicationId: string;
  /** Absent: all rides. */
  readonly rideId?: string | undefined;
}

/** A place in a list of events. */
export type EventPlace = Pick<WebhookEventRow, 'occurredAt' | 'eventId'>;

/** The place of an event in a list; undefined: it is not in that list. */
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
 * @param after where the list begins; absent: with the latest event
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

/** The second condition is that of the index for lists. */
function searched(db: Queries, { worldId, applicationId, rideId }: EventSearch) {
  return db
    .selectFrom('events')
    .where('events.worldId', '=', worldId)
    .where('events.worldId', '<>', sql.lit(LIVE_WORLD.id))
    .where('events.applicationId', '=', applicationId)
    .$if(rideId !== undefined, (query) => query.where('events.rideId', '=', rideId!));
}

/** An attempt as a list of events shows it. */
export type ListedAttempt = Readonly<Pick<AttemptRow, 'eventId' | 'number' | 'status' | 'answer' | 'error'>>;

/** The latest attempts of each event, in order. The database cuts their texts: rows from before may have long ones. */
export async function latestAttempts(db: Queries, eventIds: readonly string[]): Promise<ListedAttempt[]> {
  const beginningOf = (column: 'answer' | 'error') =>
    sql<string | null>`substr(${sql.ref(`attempts.${column}`)}, 1, ${MOST_CHARACTERS_LISTED})`.as(column);
  return db
    .selectFrom('deliveries')
    .innerJoin('attempts', 'attempts.eventId', 'deliveries.eventId')
    .select(['attempts.eventId', 'attempts.number', 'attempts.status', beginningOf('answer'), beginningOf('error')])
    .where('deliveries.eventId', 'in', listOf(db, eventIds))
    .where((row) =>
      row(
        'attempts.number',
        '>',
        sql<number>`${row.ref('deliveries.earlierAttempts')} + ${row.ref('deliveries.attempts')} - ${MOST_ATTEMPTS_KEPT}`,
      ),
    )
    .orderBy('attempts.eventId')
    .orderBy('attempts.number')
    .execute();
}
