// `ridehail/webhooks`: receives webhooks in any runtime with the Fetch API and Web Crypto.
export type { EventType, WebhookEvent } from '../../generated/webhooks.ts';
export { WebhookBodyError, WebhookSignatureError } from './errors.ts';
export type { EventHandler, EventHandlers, EventStatus, RideEvent } from './event-handlers.ts';
export { type EventStore, type MemoryEventStoreOptions, memoryEventStore } from './event-store.ts';
export type { WebhookHandlerOptions } from './receive.ts';
export {
  type Environment,
  type EnvironmentTokens,
  type RawBody,
  type SignatureHeader,
  type VerificationToken,
  verifySignature,
} from './verify-signature.ts';
export { verifyWebhook } from './verify-webhook.ts';
export { webhookHandler } from './webhook-handler.ts';
