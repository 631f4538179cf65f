import type { Readable } from 'node:stream';

/** How much of a response body is read. A longer one ends the connection. */
const MOST_BYTES_READ = 20_000;
/** How much of a text by a receiver is stored, so that attempts take little room and a list of them little memory. */
export const MOST_BYTES_KEPT = 1000;

/**
 * Reads a response body until it ends, is long enough, breaks off or times out, and returns its beginning as text. A
 * compressed body stays compressed.
 */
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
    // only the status matters, and it has arrived
  }
  return beginningOf(Buffer.concat(chunks));
}

/**
 * The part that is stored. Invalid UTF-8 becomes U+FFFD. Control characters are removed, but for tabs and ends of lines:
 * PostgreSQL cannot store NUL, and JSON spells each of the others with six characters.
 */
export function beginningOf(bytes: Buffer): string {
  // again, because U+FFFD has three bytes in place of an invalid one
  const text = cut(Buffer.from(cut(bytes)));
  return text.replace(/[^\P{Cc}\t\n\r]/gu, '');
}

function cut(bytes: Buffer): string {
  // leaves out a character that is cut in two
  return new TextDecoder().decode(bytes.subarray(0, MOST_BYTES_KEPT), { stream: true });
}
