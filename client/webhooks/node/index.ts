// `ridehail/webhooks/node`: receives webhooks with Express, node:http and what is built on them.
export type { WebhookHandlerOptions } from '../receive.ts';
export type { NodeRequest } from './raw-body.ts';
export { webhookHandler } from './webhook-handler.ts';
