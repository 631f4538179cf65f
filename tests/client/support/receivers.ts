import { createServer, type RequestListener } from 'node:http';
import express, { type RequestHandler } from 'express';
import { onTestFinished } from 'vitest';
import {
  type WebhookHandler,
  type WebhookHandlerOptions,
  webhookHandler,
} from '../../../client/webhooks/webhook-handler.ts';
import type { WebhookEvent } from '../../../generated/webhooks.ts';
import { close, listen as listenOn } from '../../support/listen.ts';
import { exampleEvent, TOKEN } from './signed.ts';

/** Sends a request to a receiver. Resolves to its response. */
export type Send = (request: RequestInit) => Promise<Response>;

/** The supported ways to set up a webhook receiver. */
export const RECEIVERS: Record<string, (handler: WebhookHandler) => Promise<Send>> = {
  'Express without a parser': (handler) => listen(expressApp(handler)),
  'Express with express.raw()': (handler) => listen(expressApp(handler, express.raw({ type: 'application/json' }))),
  'Express with an express.raw() that ignores JSON': (handler) => listen(expressApp(handler, express.raw())),
  'Express with express.text()': (handler) => listen(expressApp(handler, express.text({ type: '*/*' }))),
  'Express with the raw body next to the parsed JSON': (handler) => listen(expressApp(handler, keepingRawBody())),
  'node:http': (handler) => listen(handler),
  'the Fetch API': async (handler) => (request) =>
    handler(new Request('http://receiver', { duplex: 'half', ...request })),
};

export function expressApp(handler: WebhookHandler, ...parsers: RequestHandler[]): RequestListener {
  return express().post('/', ...parsers, handler);
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
  return { handled, errors, send: await start(webhookHandler({ token: TOKEN, on, onError, ...options })) };
}

/** Creates a handler without a server. It records its events and errors. */
export function bare() {
  const handled: WebhookEvent[] = [];
  const errors: unknown[] = [];
  const on: WebhookHandlerOptions['on'] = { 'ride.status.updated': (event) => handled.push(event) };
  return { handled, errors, handler: webhookHandler({ token: TOKEN, on, onError: (error) => errors.push(error) }) };
}
