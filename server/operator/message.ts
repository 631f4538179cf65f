import type { Socket } from 'node:net';
import { relative } from 'node:path';
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

/**
 * Bytes in the path of the operators' socket, the most on Linux and macOS, which silently truncate longer ones.
 * @beyond the server runs without the socket, and logs it
 * @heldBy tests/operator/command-socket.test.ts
 */
const LONGEST_SOCKET_PATH = 103;

/** The path of the server's local socket for an SQLite file; null if it's too long. @param file the file's path */
export function socketPathOf(file: string): string | null {
  const path = `${file}.operator`;
  // the relative path may be short enough
  return [path, relative(process.cwd(), path)].find((one) => Buffer.byteLength(one) <= LONGEST_SOCKET_PATH) ?? null;
}
