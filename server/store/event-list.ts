import { type ExpressionBuilder, sql } from 'kysely';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { hiddenText, listOf } from './engine/dialect.ts';
import { type StoredEvent, storedEvents } from './events.ts';
import type { Flag } from './flag.ts';
import type { Database, Queries } from './schema.ts';
import type { AttemptRow, WebhookEventRow } from './webhook-rows.ts';

export interface EventSearch {
  readonly worldId: string;
  readonly applicationId: string;
  /** Absent: all rides. */
  readonly rideId?: string | undefined;
  /** Whether to list only events that had a webhook URL; for sandboxes only. */
  readonly hadUrl?: true;
}

export type EventPlace = Pick<WebhookEventRow, 'occurredAt' | 'eventId'>;

/** An event, and whether its passenger still shares their rides with the application. */
export interface ListedEvent extends StoredEvent {
  /** Of the ride: whether the passenger has revoked the application's access. */
  readonly silent: Flag;
  /** When the passenger deleted their account; null: not. */
  readonly leftAt: number | null;
}

/** Whether an application may not see an event: of one who revoked its access, it sees what it already has. */
export function isHidden({ silent, leftAt, status }: Pick<ListedEvent, 'silent' | 'leftAt' | 'status'>): boolean {
  return leftAt !== null || (silent === 1 && status !== 'delivered');
}

/** Also finds hidden events. */
export async function findEvent(db: Queries, search: EventSearch, eventId: string): Promise<ListedEvent | undefined> {
  return searched(db, search).where('events.eventId', '=', eventId).executeTakeFirst();
}

/**
 * The latest events, newest first by the world's clock, in a stable order. Includes hidden ones: looking for others would
 * take as long as there are hidden ones in between.
 * @param after the last event of the previous page; absent: the first page
 */
export async function listEvents(
  db: Queries,
  search: EventSearch,
  { limit, after }: { readonly limit: number; readonly after?: EventPlace | undefined },
): Promise<ListedEvent[]> {
  return (
    searched(db, search)
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

function searched(db: Queries, search: EventSearch) {
  return eventsOfRides(db).where(isSearched(search));
}

/** Events with what `isHidden` needs. */
export function eventsOfRides(db: Queries) {
  return storedEvents(db)
    .innerJoin('rides', (on) =>
      on.onRef('rides.worldId', '=', 'events.worldId').onRef('rides.id', '=', 'events.rideId'),
    )
    .leftJoin('departures', (on) =>
      on.onRef('departures.worldId', '=', 'rides.worldId').onRef('departures.passengerId', '=', 'rides.passengerId'),
    )
    .select(['rides.silent', 'departures.leftAt']);
}

/**
 * For all rides, one more condition: that of the partial index for lists. For one ride, the world is a subquery, from which
 * PostgreSQL cannot tell that such an index would do: before it has statistics of a world, it would read all of it.
 */
export function isSearched({ worldId, applicationId, rideId, hadUrl }: EventSearch) {
  const ofKind =
    worldId === LIVE_WORLD.id ? sql<boolean>`not (events.world_id <> 'live')` : sql<boolean>`events.world_id <> 'live'`;
  return (row: ExpressionBuilder<Database, 'events'>) =>
    row.and([
      row('events.worldId', '=', rideId === undefined ? worldId : hiddenText(worldId)),
      row('events.applicationId', '=', applicationId),
      rideId === undefined ? ofKind : row('events.rideId', '=', rideId),
      ...(hadUrl ? [row('events.hadUrl', '=', sql.lit<Flag>(1))] : []),
    ]);
}

const SHOWN = ['eventId', 'number', 'startedAt', 'durationMs', 'status', 'answer', 'error', 'sent'] as const;

/** An attempt as an event list shows it. */
export type ListedAttempt = Readonly<Pick<AttemptRow, (typeof SHOWN)[number]>>;

/** The stored attempts of each event, in order. */
export async function keptAttempts(db: Queries, eventIds: readonly string[]): Promise<ListedAttempt[]> {
  return db
    .selectFrom('attempts')
    .select(SHOWN)
    .where('eventId', 'in', listOf(db, eventIds))
    .orderBy('eventId')
    .orderBy('number')
    .execute();
}
