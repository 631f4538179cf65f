import type { Application } from '../../server/domain/application.ts';
import type { World } from '../../server/domain/worlds/clock.ts';
import { worldTime } from '../../server/domain/worlds/clock.ts';
import type { Parts } from '../../server/parts.ts';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { claimDueDeliveries, type DeliveryClaim } from '../../server/store/deliveries/claim.ts';
import type { DueDelivery } from '../../server/store/deliveries/due.ts';
import { type Lane, waitingLanes } from '../../server/store/deliveries/lanes.ts';
import type { Store } from '../../server/store/engine/open.ts';
import { type StoredEvent, storedEvents } from '../../server/store/events.ts';
import type { Queries } from '../../server/store/schema.ts';
import type { AttemptRow, WebhookEventRow } from '../../server/store/webhook-rows.ts';
import { application, insertEvent, webhookEvent } from '../store/samples.ts';
import { LIVE, type TestServer } from './server.ts';

let count = 0;

/** An application that receives the webhooks of live rides and of sandboxes at a URL. @returns its id */
export async function newReceiving(
  store: Store,
  webhookUrl: string,
  traits: Partial<Application> = {},
): Promise<string> {
  count += 1;
  const id = `application-${count}`;
  const verificationToken = 'first-token';
  await insertApplicationIfAbsent(
    store.db,
    application({ id, webhookUrl, sandboxWebhookUrl: webhookUrl, verificationToken, ...traits }),
  );
  return id;
}

/** Stores a made-up event of an application, in the live world by default. @returns its id */
export async function newEvent(
  { store, parts }: { readonly store: Store; readonly parts: Pick<Parts, 'now'> },
  applicationId: string,
  {
    world = LIVE,
    afterMs = 0,
    ...change
  }: Partial<WebhookEventRow> & { readonly world?: World; readonly afterMs?: number } = {},
): Promise<string> {
  count += 1;
  const eventId = `event-${count}`;
  const occurredAt = worldTime(world.clock, parts.now()) + afterMs;
  const environment = world.kind === 'live' ? 'production' : 'sandbox';
  const body = JSON.stringify({ event_id: eventId, passenger: 'Zoë 🚕' });
  const facts = { eventId, worldId: world.id, applicationId, occurredAt, environment, body } as const;
  const event = webhookEvent({ ...facts, createdAt: parts.now(), ...change });
  await store.transaction((tx) => insertEvent(tx, event, world, parts.now()));
  return eventId;
}

export async function findEvent(db: Queries, eventId: string): Promise<StoredEvent | undefined> {
  return storedEvents(db).where('events.eventId', '=', eventId).executeTakeFirst();
}

export async function storedEvent({ store }: Pick<TestServer, 'store'>, eventId: string): Promise<StoredEvent> {
  const event = await findEvent(store.db, eventId);
  if (event === undefined) throw new Error(`No event found for ${eventId}.`);
  return event;
}

/** The lanes of all pending deliveries. */
export async function allLanes(db: Queries, realNow: number): Promise<readonly Lane[]> {
  const search = { realNow, until: Number.MAX_SAFE_INTEGER, mostDue: 1000, mostSandboxes: 1000, after: null };
  return (await waitingLanes(db, search)).lanes;
}

/** Claims due deliveries of all lanes. */
export async function claimDue(db: Queries, claim: Omit<DeliveryClaim, 'lanes'>): Promise<DueDelivery[]> {
  return claimDueDeliveries(db, { ...claim, lanes: await allLanes(db, claim.realNow) });
}

/** Real milliseconds UTC from which the next delivery can be claimed; null: none has a due time. */
export async function nextDeliveryDue(db: Queries): Promise<number | null> {
  const pending = await db
    .selectFrom('deliveries')
    .select(['realDueAt', 'leaseUntil'])
    .where('status', '=', 'pending')
    .where('realDueAt', 'is not', null)
    .execute();
  if (pending.length === 0) return null;
  return Math.min(...pending.map(({ realDueAt, leaseUntil }) => Math.max(realDueAt!, leaseUntil ?? 0)));
}

/** The stored attempts of an event, in order. */
export async function listAttempts(db: Queries, eventId: string): Promise<AttemptRow[]> {
  return db.selectFrom('attempts').selectAll().where('eventId', '=', eventId).orderBy('number').execute();
}
