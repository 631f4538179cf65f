import { type WebhookHandlerOptions, webhookHandler } from '../../../client/webhooks/webhook-handler.ts';
import type { WebhookEvent } from '../../../generated/webhooks.ts';
import { RECEIVERS } from './receivers.ts';
import { exampleEvent, TOKEN } from './signed.ts';

export const ARRIVED = exampleEvent('event_arrived');
export const RECEIPT = exampleEvent('event_receipt');

/** Starts a receiver that records the events and errors of its handler. */
export async function receiver(options: Partial<WebhookHandlerOptions> = {}, start = RECEIVERS['the Fetch API']!) {
  const handled: WebhookEvent[] = [];
  const errors: { error: unknown; event: WebhookEvent | undefined }[] = [];
  const keep = (event: WebhookEvent) => void handled.push(event);
  const on = { 'ride.status.updated': keep, 'ride.receipt.ready': keep };
  const onError = (error: unknown, event?: WebhookEvent) => void errors.push({ error, event });
  return { handled, errors, send: await start(webhookHandler({ token: TOKEN, on, onError, ...options })) };
}

/** Creates a handler without a server. It records its events and errors. */
export function bare() {
  const handled: WebhookEvent[] = [];
  const errors: unknown[] = [];
  const on: WebhookHandlerOptions['on'] = { 'ride.status.updated': (event) => handled.push(event) };
  return { handled, errors, handler: webhookHandler({ token: TOKEN, on, onError: (error) => errors.push(error) }) };
}
