import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { contract, webhookContract } from '../../scripts/contract/read.ts';
import { note } from '../tools/coverage/record.ts';
import { type Exchange, type Sight, sightOf, sightOfWebhook } from '../tools/coverage/sight.ts';
import { sightings } from './sightings.ts';

const sightOfExchange = sightOf(contract);
const sightOfDelivery = sightOfWebhook(webhookContract);

/** Records an app's responses without changing them. */
export function watched(app: Express): Express {
  const handle = Reflect.get(app, 'handle');
  const watch = (req: IncomingMessage, res: ServerResponse, next: unknown) => {
    const { method = '', url: target = '' } = req;
    // a copy, because the server may remove headers
    const headers = flat(req.headers);
    const sent = textOf(req, 'push');
    const answered = textOf(res, 'end');
    res.once('finish', () => {
      const exchange = { method, target, sent: { headers, body: sent() } };
      see(sightOfExchange({ ...exchange, status: res.statusCode, headers: flat(res.getHeaders()), body: answered() }));
    });
    handle.call(app, req, res, next);
  };
  return Object.assign(app, { handle: watch });
}

/** Records a webhook that a receiver accepted. */
export function seeDelivery(headers: IncomingHttpHeaders, body: string): void {
  const sight = sightOfDelivery(flat(headers), body);
  if (sight !== null) see(sight);
}

function see({ part, facts }: Sight): void {
  for (const fact of facts) note(sightings, part, fact);
}

/** Collects the text that passes through a method of a message. */
function textOf(message: object, method: 'push' | 'end'): () => string {
  const chunks: Buffer[] = [];
  const through: (...args: unknown[]) => unknown = Reflect.get(message, method);
  Object.assign(message, {
    [method]: (...args: unknown[]) => {
      const [chunk] = args;
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
      return through.apply(message, args);
    },
  });
  return () => Buffer.concat(chunks).toString();
}

function flat(headers: Readonly<Record<string, unknown>>): Exchange['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
