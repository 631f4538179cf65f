import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { HOUR_MS } from '../../../server/domain/time.ts';
import { createSender, type SenderOptions } from '../../../server/webhooks/delivery/send.ts';
import { type Receiver, startSocketReceiver } from './receiver.ts';

export const BODY = '{"event_id":"1","event":{"passenger":"Zoë 🚗"}}';
export const REQUEST = {
  body: BODY,
  applicationId: 'planner',
  headers: {
    ...{ 'Content-Type': 'application/json', 'User-Agent': 'ridehail-webhooks/1', 'Svc-Environment': 'sandbox' },
    'X-Svc-Signature': 'sha256=one',
  },
} as const;
export const NOW = Date.UTC(2026, 4, 12, 18);

/** A sender that may call this machine and waits longer than any test takes. */
export function newSender(options: Partial<SenderOptions> = {}) {
  const sender = createSender({
    allowPrivate: true,
    requireHttps: false,
    now: () => NOW,
    timeoutMs: HOUR_MS,
    ...options,
  });
  onTestFinished(() => sender.close());
  return sender;
}

/** Sends the request to a URL with a new sender. */
export const send = (url: string, options: Partial<SenderOptions> = {}) => newSender(options).send({ ...REQUEST, url });

/** Sends the same bytes after each complete request, and keeps the connection open. */
export function startRawReceiver(answer: string | Buffer, and: (socket: Socket) => void = () => {}): Promise<Receiver> {
  return startSocketReceiver((socket) => {
    socket.on('data', (data) => {
      if (!data.toString().endsWith('}')) return;
      socket.write(answer);
      and(socket);
    });
  });
}

/** The chunks of an endless response. */
export function* endless() {
  for (;;) yield Buffer.alloc(10_000, 'é');
}
