import { createServer, type RequestListener } from 'node:http';
import express, { type RequestHandler } from 'express';
import { onTestFinished } from 'vitest';
import { webhookHandler as nodeWebhookHandler } from '../../../client/webhooks/node/webhook-handler.ts';
import type { WebhookHandlerOptions } from '../../../client/webhooks/receive.ts';
import { webhookHandler } from '../../../client/webhooks/webhook-handler.ts';
import type { WebhookEvent } from '../../../generated/webhooks.ts';
import { close, listen as listenOn } from '../../support/listen.ts';
import { exampleEvent, TOKEN } from './signed.ts';

/** Sends a request to a receiver. Resolves to its response. */
export type Send = (request: RequestInit) => Promise<Response>;

/** The supported ways to set up a webhook receiver. */
export const RECEIVERS: Record<string, (options: WebhookHandlerOptions) => Promise<Send>> = {
  'Express without a parser': (options) => listen(expressApp(options)),
  'Express with express.raw()': (options) => listen(expressApp(options, express.raw({ type: 'application/json' }))),
  'Express with an express.raw() that ignores JSON': (options) => listen(expressApp(options, express.raw())),
  'Express with express.text()': (options) => listen(expressApp(options, express.text({ type: '*/*' }))),
  'Express with the raw body next to the parsed JSON': (options) => listen(expressApp(options, keepingRawBody())),
  'node:http': (options) => listen(nodeWebhookHandler(options)),
  'the Fetch API': async (options) => {
    const handler = webhookHandler(options);
    return (request) => handler(new Request('http://receiver', { duplex: 'half', ...request }));
  },
};

export function expressApp(options: WebhookHandlerOptions, ...parsers: RequestHandler[]): RequestListener {
  return express().post('/', ...parsers, nodeWebhookHandler(options));
}

/** Starts a server and closes it at the end of the test. */
export async function listen(listener: RequestListener): Promise<Send> {
  const url = await listenAt(listener);
  return (request) => fetch(url, { duplex: 'half', ...request });
}

export async function listenAt(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => close(server));
  return listenOn(server);
}

function keepingRawBody(): RequestHandler {
  return express.json({ verify: (request, _, rawBody) => void Object.assign(request, { rawBody }) });
}

export const ARRIVED = exampleEvent('event_arrived');
export const RECEIPT = exampleEvent('event_receipt');

/** Starts a receiver that records the events and errors of its handler. */
export async function receiver(options: Partial<WebhookHandlerOptions> = {}, start = RECEIVERS['the Fetch API']!) {
  const handled: WebhookEvent[] = [];
  const errors: { error: unknown; event: WebhookEvent | undefined }[] = [];
  const keep = (event: WebhookEvent) => void handled.push(event);
  const on = { 'ride.status.updated': keep, 'ride.receipt.ready': keep };
  const onError = (error: unknown, event?: WebhookEvent) => void errors.push({ error, event });
  return { handled, errors, send: await start({ token: TOKEN, on, onError, ...options }) };
}

/** The options of a handler that records its events and errors. */
export function recording() {
  const handled: WebhookEvent[] = [];
  const errors: unknown[] = [];
  const on: WebhookHandlerOptions['on'] = { 'ride.status.updated': (event) => handled.push(event) };
  const options: WebhookHandlerOptions = { token: TOKEN, on, onError: (error) => errors.push(error) };
  return { handled, errors, options };
}
