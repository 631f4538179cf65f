import { type ExpressionBuilder, sql } from 'kysely';
import { LIVE_WORLD } from '../../domain/worlds/live.ts';
import { listOf } from '../engine/dialect.ts';
import { equal } from '../equal.ts';
import type { EventPlace } from '../event-list.ts';
import type { Database, Queries } from '../schema.ts';
import type { DeliveryRow, ResendRow, WebhookEventRow } from '../webhook-rows.ts';

/** Which events to send again: those of an application in a world. */
export type Range = Readonly<Pick<ResendRow, 'applicationId' | 'worldId' | 'eventType' | 'failedOnly'>>;

/** The part of a range after one event, up to another, in the order of world times. */
interface Part {
  readonly after: EventPlace;
  readonly last: EventPlace;
}

/**
 * Events of a range that one statement reads. On SQLite, all calls wait for it.
 * @beyond the next statement continues
 * @heldBy tests/workers/resends.test.ts
 */
const MOST_READ_AT_ONCE = 200;
/** An event of a range, and whether it may be sent to the application. */
export type RangeEvent = Pick<DeliveryRow, 'eventId' | 'status' | 'turn'> &
  Pick<WebhookEventRow, 'rideId' | 'type' | 'occurredAt'> & { readonly maySend: boolean };

/**
 * Looks for the events of a range between two world times, in steps.
 * @param until excluded
 * @param inTurn runs each step
 * @param most how many events to look at
 * @returns how many there are, and the last one that was looked at; `isCut`: there were more than may be looked at
 */
export async function findRange(
  db: Queries,
  range: Range,
  { since, until }: { readonly since: number; readonly until: number },
  inTurn: <T>(step: () => Promise<T>) => Promise<T>,
  most: number,
): Promise<{ readonly events: number; readonly last: EventPlace; readonly isCut: boolean }> {
  const last = { occurredAt: until, eventId: '' };
  let [after, seen, events]: [EventPlace, number, number] = [{ occurredAt: since, eventId: '' }, 0, 0];
  while (seen < most) {
    const rows = await inTurn(() => readRange(db, range, { after, last }, MOST_READ_AT_ONCE));
    seen += rows.length;
    events += rows.filter((row) => isWanted(row, range)).length;
    after = rows.at(-1) ?? after;
    if (rows.length < MOST_READ_AT_ONCE) return { events, last: after, isCut: false };
  }
  return { events, last: after, isCut: true };
}

export function eventIdOf({ eventId }: Pick<RangeEvent, 'eventId'>): string {
  return eventId;
}

export function isWanted({ type, status, maySend }: RangeEvent, { eventType }: Range): boolean {
  return maySend && status !== 'pending' && (eventType ?? type) === type;
}

/** Reads events of a range in order, including those that are not to be sent. */
export async function readRange(db: Queries, range: Range, part: Part, limit: number): Promise<RangeEvent[]> {
  const places =
    range.failedOnly === 1
      ? [failedPlaces(db, range, part, limit, 'given_up'), failedPlaces(db, range, part, limit, 'dropped')]
      : [allPlaces(db, range, part, limit)];
  const found = await Promise.all(places);
  return (await detailsOf(db, found.flat())).slice(0, limit);
}

function allPlaces(db: Queries, { applicationId, worldId }: Range, part: Part, limit: number) {
  const ofKind = worldId === LIVE_WORLD.id ? sql<boolean>`not (world_id <> 'live')` : sql<boolean>`world_id <> 'live'`;
  return db
    .selectFrom('events')
    .select(['eventId', 'occurredAt'])
    .where(equal({ applicationId, worldId }))
    .where(ofKind)
    .where(isIn(part))
    .orderBy('occurredAt')
    .orderBy('eventId')
    .limit(limit)
    .execute();
}

/** One state at a time, because the index has the states apart. */
function failedPlaces(
  db: Queries,
  { applicationId, worldId }: Range,
  part: Part,
  limit: number,
  status: 'given_up' | 'dropped',
) {
  return (
    db
      .selectFrom('deliveries')
      .select(['eventId', 'occurredAt'])
      .where(equal({ applicationId, worldId, status }))
      // the condition of the index
      .where(sql<boolean>`not (status in ('pending', 'delivered'))`)
      .where(isIn(part))
      .orderBy('occurredAt')
      .orderBy('eventId')
      .limit(limit)
      .execute()
  );
}

function isIn({ after, last }: Part) {
  return (row: ExpressionBuilder<Database, 'events' | 'deliveries'>) => {
    const at = row.refTuple('occurredAt', 'eventId');
    return row.and([
      row(at, '>', row.tuple(after.occurredAt, after.eventId)),
      row(at, '<=', row.tuple(last.occurredAt, last.eventId)),
    ]);
  };
}

/** In the order of a range. */
export async function detailsOf(db: Queries, events: readonly Pick<RangeEvent, 'eventId'>[]): Promise<RangeEvent[]> {
  if (events.length === 0) return [];
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.eventId', 'deliveries.eventId')
    .innerJoin('rides', (on) =>
      on.onRef('rides.worldId', '=', 'events.worldId').onRef('rides.id', '=', 'events.rideId'),
    )
    .leftJoin('departures', (on) =>
      on.onRef('departures.worldId', '=', 'rides.worldId').onRef('departures.passengerId', '=', 'rides.passengerId'),
    )
    .select(['deliveries.eventId', 'deliveries.status', 'deliveries.turn', 'events.rideId', 'events.type'])
    .select(['events.occurredAt', 'rides.silent', 'departures.leftAt'])
    .where('deliveries.eventId', 'in', listOf(db, events.map(eventIdOf)))
    .execute();
  return rows
    .map(({ silent, leftAt, ...row }) => ({ ...row, maySend: silent === 0 && leftAt === null }))
    .sort((a, b) => a.occurredAt - b.occurredAt || (a.eventId < b.eventId ? -1 : 1));
}
