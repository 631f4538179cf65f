import { sql } from 'kysely';
import { FIELDS } from '../../domain/application.ts';
import type { WorldClock } from '../../domain/worlds/clock.ts';
import type { WebhookSettings } from '../../domain/worlds/settings.ts';
import { equal } from '../equal.ts';
import type { Queries } from '../schema.ts';
import type { DeliveryRow, WebhookEventRow } from '../webhook-rows.ts';
import { type ClockColumns, toClock, toSettings } from '../worlds.ts';

/** A literal: with a bound parameter, SQLite does not use the partial indexes over pending rows. */
export const PENDING = sql.lit<'pending'>('pending');

const SANDBOX = sql.lit<'sandbox'>('sandbox');

/** An event to deliver, with everything an attempt needs. */
export interface DueDelivery extends Readonly<DeliveryRow>, Readonly<Pick<WebhookEventRow, 'environment' | 'body'>> {
  /**
   * The world's own URL, or the application's URL for live rides or for sandboxes. Null if there is no URL any more, or
   * no token to sign with.
   */
  readonly url: string | null;
  /** The world's own token, or the application's token for live rides or for sandboxes. */
  readonly verificationToken: string;
  readonly previousVerificationToken: string | null;
  /** Real time, in milliseconds UTC. */
  readonly verificationTokenChangedAt: number | null;
  readonly clock: WorldClock;
  /** The faults that the sandbox settings simulate. */
  readonly faults: WebhookSettings;
}

export function dueDeliveries(db: Queries) {
  return db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.eventId', 'deliveries.eventId')
    .innerJoin('applications', 'applications.id', 'deliveries.applicationId')
    .innerJoin('worlds', 'worlds.id', 'deliveries.worldId')
    .selectAll('deliveries')
    .select([
      'events.environment',
      'events.body',
      'worlds.clockRealAnchor',
      'worlds.clockWorldAnchor',
      'worlds.clockRunning',
      (row) => row.case().when('worlds.kind', '=', SANDBOX).then(row.ref('worlds.settings')).end().as('settings'),
    ])
    .select((row) => {
      const own = <Field extends keyof typeof FIELDS.live>(field: Field) =>
        row
          .case()
          .when('worlds.kind', '=', SANDBOX)
          .then(row.ref(`applications.${FIELDS.sandbox[field]}`))
          .else(row.ref(`applications.${FIELDS.live[field]}`))
          .end();
      return [
        own('webhookUrl').as('url'),
        own('verificationToken').as('verificationToken'),
        own('previousVerificationToken').as('previousVerificationToken'),
        own('verificationTokenChangedAt').as('verificationTokenChangedAt'),
      ];
    });
}

export function toDueDelivery(
  row: Omit<DueDelivery, 'clock' | 'faults'> & ClockColumns & { readonly settings: string | null },
): DueDelivery {
  const { clockRealAnchor, clockWorldAnchor, clockRunning, settings, ...delivery } = row;
  const { webhooks: faults } = toSettings({ settings });
  const clock = toClock({ clockRealAnchor, clockWorldAnchor, clockRunning });
  const addressed = { ...delivery, ...ownAddress(faults), clock, faults };
  // anyone could forge the signature of an empty token
  return addressed.verificationToken === '' ? { ...addressed, url: null } : addressed;
}

/** The world's own webhook URL and token; empty if it has none. */
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
 * The world's first delivery that is due by `until` on its clock, claimed or not. The caller must claim it before an
 * attempt: see claimDelivery.
 */
export async function dueDeliveryInWorld(db: Queries, worldId: string, until: number): Promise<DueDelivery | null> {
  const row = await dueDeliveries(db)
    .where(equal({ 'deliveries.worldId': worldId, 'deliveries.status': PENDING }))
    .where('deliveries.dueAt', '<=', until)
    // in a seeded world, deliveries due at the same time always run in the same order: that of an index, because all of
    // a frozen world can be due at once
    .orderBy('deliveries.dueAt')
    .orderBy('deliveries.occurredAt')
    .orderBy('deliveries.eventId')
    .limit(1)
    .executeTakeFirst();
  return row ? toDueDelivery(row) : null;
}
