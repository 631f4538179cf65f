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
  /** The world's own, or the application's for live rides or for those of sandboxes; null: there is none any more, or no token to sign with. */
  readonly url: string | null;
  /** The world's own, or the application's for live rides or for those of sandboxes. */
  readonly verificationToken: string;
  readonly previousVerificationToken: string | null;
  /** Real milliseconds UTC. */
  readonly verificationTokenChangedAt: number | null;
  readonly clock: WorldClock;
  /** The faults that the world's settings simulate. */
  readonly faults: WebhookSettings;
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
      'worlds.clockRealAnchor',
      'worlds.clockWorldAnchor',
      'worlds.clockRunning',
      (row) => row.case().when('worlds.kind', '=', SANDBOX).then(row.ref('worlds.settings')).end().as('settings'),
    ])
    .select((row) => {
      const inSandbox = row.case().when('worlds.kind', '=', SANDBOX);
      return [
        inSandbox
          .then(row.ref('applications.sandboxWebhookUrl'))
          .else(row.ref('applications.webhookUrl'))
          .end()
          .as('url'),
        inSandbox
          .then(row.ref('applications.sandboxVerificationToken'))
          .else(row.ref('applications.verificationToken'))
          .end()
          .as('verificationToken'),
        inSandbox
          .then(row.ref('applications.previousSandboxVerificationToken'))
          .else(row.ref('applications.previousVerificationToken'))
          .end()
          .as('previousVerificationToken'),
        inSandbox
          .then(row.ref('applications.sandboxVerificationTokenChangedAt'))
          .else(row.ref('applications.verificationTokenChangedAt'))
          .end()
          .as('verificationTokenChangedAt'),
      ];
    });
}

export function toDueDelivery(
  row: Omit<DueDelivery, 'clock' | 'faults'> & ClockColumns & { readonly settings: string | null },
): DueDelivery {
  const { clockRealAnchor, clockWorldAnchor, clockRunning, settings, ...delivery } = row;
  const { webhooks: faults } = toSettings({ settings });
  const clock = toClock({ clockRealAnchor, clockWorldAnchor, clockRunning });
  return { ...addressed({ ...delivery, ...ownAddress(faults) }), clock, faults };
}

/** Without a URL if the token is empty: anybody could sign with that. */
function addressed<T extends Pick<DueDelivery, 'url' | 'verificationToken'>>(delivery: T): T {
  return delivery.verificationToken === '' ? { ...delivery, url: null } : delivery;
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
