import type { Readable } from 'node:stream';

/**
 * Bytes of a receiver's response body that are read.
 * @beyond the connection closes
 * @heldBy tests/webhooks/send.test.ts
 */
const MOST_BYTES_READ = 20_000;
/**
 * Bytes of it that are stored with the attempt, so that attempts take little space and lists of them little memory.
 * @beyond the rest is cut off
 * @heldBy tests/webhooks/send.test.ts
 */
export const MOST_BYTES_KEPT = 1000;

/** The beginning of a response body as text, even if the body is cut off or times out. A compressed one stays so. */
export async function readAnswer(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MOST_BYTES_READ) break;
    }
  } catch {
    // only the status matters, and it has already arrived
  }
  return beginningOf(Buffer.concat(chunks));
}

/**
 * The stored part of a text. Invalid UTF-8 becomes U+FFFD. Removes control characters except tabs and line breaks:
 * PostgreSQL cannot store NUL, and JSON needs six characters for each of the others.
 */
export function beginningOf(bytes: Buffer): string {
  // cut again, because U+FFFD has three bytes and replaces a single invalid byte
  const text = cut(Buffer.from(cut(bytes)));
  return text.replace(/[^\P{Cc}\t\n\r]/gu, '');
}

function cut(bytes: Buffer): string {
  // omits a character that is cut in half
  return new TextDecoder().decode(bytes.subarray(0, MOST_BYTES_KEPT), { stream: true });
}
