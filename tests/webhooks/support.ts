import { DEMO } from '../../server/demo.ts';
import type { WebhookEventRow } from '../../server/store/webhook-rows.ts';
import type { TestServer } from '../support/server.ts';
import { setWebhooks } from '../support/set-webhooks.ts';
import type { Riding } from '../support/take-ride.ts';

const KEYS = { verificationToken: 'verification-token', sandboxVerificationToken: 'sandbox-verification-token' };

/** Sends the demo application's events to a URL. At the default URL nobody listens. */
export function setDemoWebhooks(
  { store, parts }: TestServer,
  url: string | null = 'http://127.0.0.1:65530/hook',
): Promise<void> {
  return setWebhooks(store.db, DEMO.clientId, url, KEYS, parts.now());
}

/** The stored events of a ride in the order in which they occurred. */
export async function eventsOf({ store }: TestServer, { world, rideId }: Riding): Promise<WebhookEventRow[]> {
  return store.db
    .selectFrom('events')
    .selectAll()
    .where('worldId', '=', world.id)
    .where('rideId', '=', rideId)
    .orderBy('occurredAt')
    .execute();
}

/** The events of a ride in order: the new status, or `receipt`. */
export async function toldOf(server: TestServer, riding: Riding): Promise<string[]> {
  const events = await eventsOf(server, riding);
  return events.map(({ type, body }) => (type === 'ride.receipt.ready' ? 'receipt' : JSON.parse(body).event.status));
}
