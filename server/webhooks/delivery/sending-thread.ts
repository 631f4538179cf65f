import { parentPort, type Worker, workerData } from 'node:worker_threads';
import { startThread } from '../../files.ts';
import type { Parts } from '../../parts.ts';
import {
  createSender,
  failedOutcome,
  type Outcome,
  type Sender,
  type SenderOptions,
  type WebhookRequest,
} from './send.ts';

/** Functions cannot be given to a thread. */
type ThreadOptions = Required<Pick<SenderOptions, 'allowPrivate' | 'requireHttps' | 'outdatedPortsUntil'>>;

interface Numbered<T> {
  readonly id: number;
  readonly value: T;
}

/**
 * Sends webhooks in a thread of its own, which begins with the first of them. A receiver chooses the certificates, and
 * OpenSSL checks them all in one piece, in which the thread does nothing else. If the thread ends because of an unexpected
 * error, its attempts fail, and the next one begins another thread.
 */
export function createSendingThread({ logger, ...options }: ThreadOptions & Pick<Parts, 'logger'>): Sender {
  const waiting = new Map<number, (outcome: Outcome) => void>();
  let sent = 0;
  let thread: Worker | null = null;
  const begin = (): Worker => {
    const begun = startThread('webhooks/delivery/sending-thread', { sendsWebhooks: options });
    begun.on('message', ({ id, value }: Numbered<Outcome>) => {
      waiting.get(id)?.(value);
      waiting.delete(id);
    });
    begun.on('error', (error) => logger.error({ err: error }, 'the thread that sends webhooks ended unexpectedly'));
    begun.on('exit', () => {
      thread = null;
      for (const end of waiting.values()) end(failedOutcome(Date.now(), 0, 'The server stopped sending.'));
      waiting.clear();
    });
    return begun;
  };
  return {
    now: Date.now,
    outdatedPortsUntil: options.outdatedPortsUntil,
    send: (request) =>
      new Promise((resolve) => {
        thread ??= begin();
        sent += 1;
        waiting.set(sent, resolve);
        thread.postMessage({ id: sent, value: request } satisfies Numbered<WebhookRequest>);
      }),
    close: async () => void (await thread?.terminate()),
  };
}

/** This file is also the thread's program. Others have threads too, such as a test runner. */
const given = (workerData as { readonly sendsWebhooks?: ThreadOptions } | null)?.sendsWebhooks;
if (given !== undefined) {
  const sender = createSender({ ...given, now: Date.now });
  parentPort!.on('message', async ({ id, value }: Numbered<WebhookRequest>) => {
    parentPort!.postMessage({ id, value: await sender.send(value) } satisfies Numbered<Outcome>);
  });
}
