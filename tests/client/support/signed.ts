import { createHmac } from 'node:crypto';
import webhooks from '../../../generated/webhooks.json' with { type: 'json' };
import type { WebhookEvent } from '../../../generated/webhooks.ts';

export const TOKEN = 'kT3vXq9LmZ2wR8cYb5NfJ7hD1gS6pA0eUiOoWtVxQyM';

type ExampleName = keyof typeof webhooks.components.examples;

/** Returns an event from the contract's examples. */
export function exampleEvent(name: ExampleName): WebhookEvent {
  return webhooks.components.examples[name].value as WebhookEvent;
}

/** Computes the signature of a body as the contract describes. */
export function signatureOf(body: string | Uint8Array, token = TOKEN): string {
  return `sha256=${createHmac('sha256', token).update(body).digest('base64')}`;
}

export function signed(event: unknown, token = TOKEN): RequestInit & { headers: Record<string, string> } {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  return {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', 'X-Svc-Signature': signatureOf(body, token) },
  };
}
