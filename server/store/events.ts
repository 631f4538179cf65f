import type { Transaction } from 'kysely';
import { realTimeOf, type WorldClock, worldTime } from '../domain/worlds/clock.ts';
import { listOf } from './engine/dialect.ts';
import { prepared } from './engine/prepared.ts';
import type { Database, Queries } from './schema.ts';
import type { DeliveryRow, WebhookEventRow } from './webhook-rows.ts';
import type { HeldWorld } from './worlds.ts';

/** An event and the state of its delivery. */
export type StoredEvent = Readonly<WebhookEventRow & Pick<DeliveryRow, 'status' | 'dueAt' | 'realDueAt'>> & {
  /** Includes attempts from before a resend. */
  readonly attempts: number;
};

/** An event to save. */
export interface NewEvent {
  readonly event: Readonly<WebhookEventRow>;
  /** World time of the first attempt. */
  readonly dueAt: number;
}

/**
 * Saves events of a world with their deliveries.
 * @param world must be locked: otherwise a clock change before this commit would miss the deliveries
 * @param realNow milliseconds UTC
 */
export async function insertEvents(
  tx: Transaction<Database>,
  { clock }: HeldWorld,
  realNow: number,
  events: readonly NewEvent[],
): Promise<void> {
  const deliveries = events.map(({ event: { eventId, applicationId, worldId }, dueAt }): DeliveryRow => {
    const due = { dueAt, realDueAt: realDueOf(clock, dueAt, realNow) };
    const untried = { attempts: 0, earlierAttempts: 0, scheduleAnchor: null, lastEndedAt: null, resend: 0 } as const;
    const free = { leaseOwner: null, leaseUntil: null };
    return { eventId, applicationId, worldId, status: 'pending', ...due, ...untried, ...free };
  });
  const [first, ...more] = events;
  if (first === undefined) return;
  if (more.length === 0) {
    await eventInsert(tx, first.event);
    await deliveryInsert(tx, deliveries[0]!);
    return;
  }
  await tx
    .insertInto('events')
    .values(events.map(({ event }) => event))
    .execute();
  await tx.insertInto('deliveries').values(deliveries).execute();
}

const eventInsert = prepared((tx, row: WebhookEventRow) => tx.insertInto('events').values(row));

const deliveryInsert = prepared((tx, row: DeliveryRow) => tx.insertInto('deliveries').values(row));

/**
 * The real time from which a delivery due at a world time can be attempted; null while the clock is frozen before it.
 */
export function realDueOf(clock: WorldClock, dueAt: number, realNow: number): number | null {
  return dueAt <= worldTime(clock, realNow) ? realNow : realTimeOf(clock, dueAt);
}

export async function findEvent(db: Queries, eventId: string): Promise<StoredEvent | undefined> {
  const row = await db
    .selectFrom('events')
    .innerJoin('deliveries', 'deliveries.eventId', 'events.eventId')
    .select([...STORED_EVENT, 'events.body'])
    .where('events.eventId', '=', eventId)
    .executeTakeFirst();
  return row && withAllAttempts(row);
}

/** Counts the events of a ride in a sandbox. */
export async function countEvents(db: Queries, worldId: string, rideId: string): Promise<number> {
  const { count } = await db
    .selectFrom('events')
    .select((row) => row.fn.countAll<number | string>().as('count'))
    .where('worldId', '=', worldId)
    .where('rideId', '=', rideId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The most events that one sweep transaction reads. SQLite runs nothing else while it deletes them. */
export const MOST_EVENTS_SWEPT_AT_ONCE = 20;

/** A position in the order of age. */
export type OldEvent = Pick<WebhookEventRow, 'createdAt' | 'eventId'>;

export const OLDEST_EVENT: OldEvent = { createdAt: 0, eventId: '' };

/**
 * Reads the next batch of events stored before `before`. Deletes those whose delivery has ended, with their deliveries
 * and attempts. Skips pending events, for example in a frozen world, so that later batches do not read them again.
 * @param before real milliseconds UTC
 * @param after the end of the previous batch
 * @returns the end of this batch; null when there are no more
 */
export async function deleteOldEvents(
  tx: Transaction<Database>,
  before: number,
  after: OldEvent,
): Promise<OldEvent | null> {
  const old = await tx
    .selectFrom('events')
    .select(['createdAt', 'eventId'])
    .where('createdAt', '<', before)
    .where((row) => row(row.refTuple('createdAt', 'eventId'), '>', row.tuple(after.createdAt, after.eventId)))
    .orderBy('createdAt')
    .orderBy('eventId')
    .limit(MOST_EVENTS_SWEPT_AT_ONCE)
    .execute();
  const last = old.at(-1);
  if (last === undefined) return null;
  const over = await tx
    .deleteFrom('deliveries')
    .where(
      'eventId',
      'in',
      listOf(
        tx,
        old.map(({ eventId }) => eventId),
      ),
    )
    // skips pending deliveries, including any that a concurrent resend made pending
    .where('status', '!=', 'pending')
    .returning('eventId')
    .execute();
  const ids = over.map(({ eventId }) => eventId);
  if (ids.length > 0) await tx.deleteFrom('events').where('eventId', 'in', listOf(tx, ids)).execute();
  return last;
}

/** The columns of a stored event, without its body. */
export const STORED_EVENT = [
  'events.eventId',
  'events.worldId',
  'events.rideId',
  'events.applicationId',
  'events.type',
  'events.occurredAt',
  'events.environment',
  'events.createdAt',
  'deliveries.status',
  'deliveries.dueAt',
  'deliveries.realDueAt',
  'deliveries.attempts',
  'deliveries.earlierAttempts',
] as const;

export function withAllAttempts<Row extends { attempts: number; earlierAttempts: number }>({
  earlierAttempts,
  ...row
}: Row): Omit<Row, 'earlierAttempts'> {
  return { ...row, attempts: row.attempts + earlierAttempts };
}
