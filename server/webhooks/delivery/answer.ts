import type { Readable } from 'node:stream';

/** How much of a response body is read and stored. A longer one ends the connection. */
const MOST_BYTES = 20_000;

/**
 * Reads the beginning of a response body as text, until it ends, is long enough, breaks off or times out. A compressed
 * body stays compressed. Invalid UTF-8 becomes U+FFFD. NUL is removed, because PostgreSQL cannot store it.
 */
export async function readAnswer(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MOST_BYTES) break;
    }
  } catch {
    // only the status matters, and it has arrived
  }
  // leaves out a character that is cut in two
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MOST_BYTES), { stream: true });
  return text.replaceAll('\0', '');
}
