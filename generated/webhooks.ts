// Generated from openapi.yaml and webhooks.yaml. Do not edit: change those and run `npm run generate`.
import type { webhooks } from './types.ts';

/** Every event type that the contract declares. */
export const EVENT_TYPES = ['ride.status.updated', 'ride.receipt.ready'] as const satisfies ReadonlyArray<
  keyof webhooks
>;

export type EventType = (typeof EVENT_TYPES)[number];

/** Where webhooks.json has the schema of each event. */
export const EVENT_SCHEMAS: Readonly<Record<EventType, string>> = {
  'ride.status.updated': '#/components/schemas/RideStatusUpdated',
  'ride.receipt.ready': '#/components/schemas/RideReceiptReady',
};

/** The body of a webhook request, by its event type. */
export type WebhookEvent<Type extends EventType = EventType> = Type extends EventType
  ? webhooks[Type]['post'] extends { requestBody: { content: { 'application/json': infer Event } } }
    ? Event
    : never
  : never;
