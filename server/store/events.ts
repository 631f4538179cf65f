import { realTimeOf, type WorldClock, worldTime } from '../domain/worlds/clock.ts';
import { hiddenText, listOfColumn } from './engine/dialect.ts';
import { prepared } from './engine/prepared.ts';
import { equal } from './equal.ts';
import type { Queries, Tx } from './schema.ts';
import type { DeliveryRow, WebhookEventRow } from './webhook-rows.ts';
import type { HeldWorld } from './worlds.ts';

export type StoredEvent = Readonly<WebhookEventRow & Pick<DeliveryRow, 'status' | 'dueAt' | 'realDueAt'>> & {
  /** Includes attempts from before a resend. */
  readonly attempts: number;
};

export interface NewEvent {
  readonly event: Readonly<WebhookEventRow>;
  /** World time of the first attempt. */
  readonly dueAt: number;
}

// biome-ignore format: one column per line would fill a screen
const UNTRIED = {
  attempts: 0, earlierAttempts: 0, scheduleAnchor: null, lastEndedAt: null, resend: 0, resent: 0, turn: 0,
  leaseOwner: null, leaseUntil: null,
} as const;

/**
 * Saves events of a world with their deliveries. An event without a webhook URL has one that is not due.
 * @param world must be locked: otherwise a clock change before this commit would miss the deliveries
 */
export async function insertEvents(
  tx: Tx,
  { clock }: HeldWorld,
  realNow: number,
  events: readonly NewEvent[],
): Promise<void> {
  const deliveries = events.map(({ event, dueAt }): DeliveryRow => {
    const { eventId, applicationId, worldId, occurredAt, hadUrl } = event;
    const state =
      hadUrl === 1
        ? ({ status: 'pending', realDueAt: realDueOf(clock, dueAt, realNow) } as const)
        : ({ status: 'not_sent', realDueAt: null } as const);
    return { eventId, applicationId, worldId, occurredAt, dueAt, ...state, ...UNTRIED };
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

export function storedEvents(db: Queries) {
  return db
    .selectFrom('events')
    .innerJoin('deliveries', 'deliveries.eventId', 'events.eventId')
    .selectAll('events')
    .select(['deliveries.status', 'deliveries.dueAt', 'deliveries.realDueAt'])
    .select((row) => row('deliveries.attempts', '+', row.ref('deliveries.earlierAttempts')).as('attempts'));
}

/** The events of a ride that were to be sent. */
export async function countEvents(db: Queries, worldId: string, rideId: string): Promise<number> {
  const { count } = await db
    .selectFrom('events')
    .select((row) => row.fn.countAll<number | string>().as('count'))
    .where('worldId', '=', hiddenText(worldId))
    .where(equal({ rideId, hadUrl: 1 }))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Events, old or of a deleted application, that one transaction of the sweep reads. SQLite runs nothing else while it
 * deletes them.
 * @beyond the next transaction deletes the rest
 */
export const MOST_EVENTS_SWEPT_AT_ONCE = 20;

export type OldEvent = Pick<WebhookEventRow, 'createdAt' | 'eventId'>;

export const OLDEST_EVENT: OldEvent = { createdAt: 0, eventId: '' };

/**
 * Reads the next batch of events stored before `before`. Deletes those whose delivery has ended, with their deliveries
 * and attempts. Skips pending events, for example in a frozen world, so that later batches do not read them again.
 * @param before real milliseconds UTC
 * @returns the end of this batch; null when there are no more
 */
export async function deleteOldEvents(tx: Tx, before: number, after: OldEvent): Promise<OldEvent | null> {
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
    .where('eventId', 'in', listOfColumn(tx, old, 'eventId'))
    // skips pending deliveries, including any that a concurrent resend made pending
    .where('status', '!=', 'pending')
    .returning('eventId')
    .execute();
  if (over.length > 0) {
    await tx
      .deleteFrom('events')
      .where('eventId', 'in', listOfColumn(tx, over, 'eventId'))
      .execute();
  }
  return last;
}
