import type { Socket } from 'node:net';
import { SECOND_MS } from '../domain/time.ts';

/** A command is some kilobytes at most, and the longest answer a list of applications, each with ten long URIs. */
export const MOST_MESSAGE_BYTES = 1024 * 1024;
/** From the connection to the whole answer. */
export const LONGEST_EXCHANGE_MS = 20 * SECOND_MS;

/** What a command asks of a server. */
export interface Request {
  readonly command: string;
  readonly input: unknown;
}

/** What the server answers: the output, or why there is none, in words for the operator. */
export type Answer = { readonly output: unknown } | { readonly problem: string };

/**
 * Reads JSON until the other side ends its half of the connection. Rejects for more than MOST_MESSAGE_BYTES, for what is
 * not JSON, and when the connection breaks.
 */
export async function readMessage(socket: Socket): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  // the end of a loop over the socket itself would close it, and so the other half
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_MESSAGE_BYTES) throw new Error(`The message is longer than ${MOST_MESSAGE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}
