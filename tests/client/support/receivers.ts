import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { onTestFinished } from 'vitest';
import type { WebhookHandler } from '../../../client/webhooks/webhook-handler.ts';

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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function keepingRawBody(): RequestHandler {
  return express.json({ verify: (request, _, rawBody) => void Object.assign(request, { rawBody }) });
}
