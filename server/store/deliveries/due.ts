import { sql } from 'kysely';
import type { WorldClock } from '../../domain/worlds/clock.ts';
import type { WebhookSettings } from '../../domain/worlds/settings.ts';
import type { DeliveryRow, Queries, WebhookEventRow } from '../schema.ts';
import { type ClockColumns, toClock, toSettings } from '../worlds.ts';

/** A literal: with a bound parameter, SQLite does not use the partial indexes over pending rows. */
export const PENDING = sql.lit<'pending'>('pending');

const SANDBOX = sql.lit<'sandbox'>('sandbox');

/** An event to deliver, with everything that an attempt needs. */
export interface DueDelivery
  extends Readonly<
      Pick<
        DeliveryRow,
        | 'eventId'
        | 'applicationId'
        | 'worldId'
        | 'attempts'
        | 'earlierAttempts'
        | 'scheduleAnchor'
        | 'dueAt'
        | 'realDueAt'
        | 'lastEndedAt'
      >
    >,
    Readonly<Pick<WebhookEventRow, 'environment' | 'body'>> {
  /** The world's own URL or the application's; null: neither has one any more. */
  readonly url: string | null;
  readonly verificationToken: string;
  readonly previousVerificationToken: string | null;
  /** Real milliseconds UTC. */
  readonly verificationTokenChangedAt: number | null;
  readonly clock: WorldClock;
  /** The faults that the world's settings simulate. */
  readonly faults: WebhookSettings;
}

/** Lists the applications that have pending deliveries. Each step finds the next one in the index. */
export function withWaitingApplications(db: Queries) {
  return db.withRecursive('waiting(applicationId)', (cte) =>
    cte.selectNoFrom(sql<string | null>`''`.as('applicationId')).unionAll(
      cte
        .selectFrom('waiting')
        .select((row) =>
          row
            .selectFrom('deliveries')
            .select('deliveries.applicationId')
            .where('deliveries.status', '=', PENDING)
            .where('deliveries.realDueAt', 'is not', null)
            .whereRef('deliveries.applicationId', '>', 'waiting.applicationId')
            .orderBy('deliveries.applicationId')
            .limit(1)
            .as('applicationId'),
        )
        .where('waiting.applicationId', 'is not', null),
    ),
  );
}

export function dueDeliveries(db: Queries) {
  return db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.eventId', 'deliveries.eventId')
    .innerJoin('applications', 'applications.id', 'deliveries.applicationId')
    .innerJoin('worlds', 'worlds.id', 'deliveries.worldId')
    .select([
      'deliveries.eventId',
      'deliveries.applicationId',
      'deliveries.worldId',
      'deliveries.attempts',
      'deliveries.earlierAttempts',
      'deliveries.scheduleAnchor',
      'deliveries.dueAt',
      'deliveries.realDueAt',
      'deliveries.lastEndedAt',
      'events.environment',
      'events.body',
      'applications.webhookUrl as url',
      'applications.verificationToken',
      'applications.previousVerificationToken',
      'applications.verificationTokenChangedAt',
      'worlds.clockRealAnchor',
      'worlds.clockWorldAnchor',
      'worlds.clockRunning',
      (row) => row.case().when('worlds.kind', '=', SANDBOX).then(row.ref('worlds.settings')).end().as('settings'),
    ]);
}

export function toDueDelivery(
  row: Omit<DueDelivery, 'clock' | 'faults'> & ClockColumns & { readonly settings: string | null },
): DueDelivery {
  const { clockRealAnchor, clockWorldAnchor, clockRunning, settings, ...delivery } = row;
  const { webhooks: faults } = toSettings({ settings });
  const clock = toClock({ clockRealAnchor, clockWorldAnchor, clockRunning });
  return { ...delivery, ...ownAddress(faults), clock, faults };
}

/** The world's own webhook URL and token; empty when it has none. */
function ownAddress({ url, verificationToken }: WebhookSettings) {
  if (url === null || verificationToken === null) return {};
  return { url, verificationToken, previousVerificationToken: null, verificationTokenChangedAt: null };
}

/** Reads a delivery in its current state. */
export async function findDueDelivery(db: Queries, eventId: string): Promise<DueDelivery | undefined> {
  const row = await dueDeliveries(db).where('deliveries.eventId', '=', eventId).executeTakeFirst();
  return row && toDueDelivery(row);
}

/**
 * Real milliseconds UTC from which a delivery can be claimed; null: none has a due time.
 * @param except applications to leave out
 */
export async function nextDeliveryDue(db: Queries, except: readonly string[] = []): Promise<number | null> {
  const free = await withWaitingApplications(db)
    .selectFrom('waiting')
    .$if(except.length > 0, (query) => query.where('waiting.applicationId', 'not in', except))
    .select((row) =>
      row
        .selectFrom('deliveries')
        .select('realDueAt')
        .whereRef('deliveries.applicationId', '=', 'waiting.applicationId')
        .where('status', '=', PENDING)
        .where('realDueAt', 'is not', null)
        .where('leaseUntil', 'is', null)
        .orderBy('realDueAt')
        .limit(1)
        .as('realDueAt'),
    )
    .execute();
  const leased = await db
    .selectFrom('deliveries')
    .select(['realDueAt', 'leaseUntil'])
    .where('leaseOwner', 'is not', null)
    .where('realDueAt', 'is not', null)
    .$if(except.length > 0, (query) => query.where('applicationId', 'not in', except))
    .execute();
  const instants = [
    ...free.flatMap(({ realDueAt }) => realDueAt ?? []),
    ...leased.map((row) => Math.max(row.realDueAt!, row.leaseUntil!)),
  ];
  return instants.length === 0 ? null : Math.min(...instants);
}

/**
 * The first delivery of a world that is due by this instant of its clock, claimed or not. Before an attempt the caller
 * must claim it: see claimDelivery.
 */
export async function dueDeliveryInWorld(db: Queries, worldId: string, until: number): Promise<DueDelivery | null> {
  const row = await dueDeliveries(db)
    .where('deliveries.worldId', '=', worldId)
    .where('deliveries.status', '=', PENDING)
    .where('deliveries.dueAt', '<=', until)
    // in a seeded world, deliveries that are due at the same instant always run in the same order
    .orderBy('deliveries.dueAt')
    .orderBy('events.occurredAt')
    .orderBy('deliveries.eventId')
    .limit(1)
    .executeTakeFirst();
  return row ? toDueDelivery(row) : null;
}
