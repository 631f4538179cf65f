import type { Socket } from 'node:net';
import { SECOND_MS } from '../domain/time.ts';

/**
 * Request or response of an operator's command. Most take a few kilobytes. The longest response is a list of
 * applications with ten long URIs each.
 * @beyond the connection is closed
 */
export const MOST_MESSAGE_BYTES = 1024 * 1024;
/** An operator's command, from connecting to the end of the response. @beyond the connection is closed */
export const LONGEST_EXCHANGE_MS = 20 * SECOND_MS;

export interface Request {
  readonly command: string;
  readonly input: unknown;
}

export type Answer = { readonly output: unknown } | { readonly problem: string };

/**
 * Reads JSON until the other side ends its half of the connection. Rejects if the message exceeds MOST_MESSAGE_BYTES or
 * isn't JSON, or if the connection breaks.
 */
export async function readMessage(socket: Socket): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  // a loop over the socket itself would close both halves at its end
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_MESSAGE_BYTES) throw new Error(`The message exceeds ${MOST_MESSAGE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}
