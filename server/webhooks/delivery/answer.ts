import type { Readable } from 'node:stream';

/** Bytes of an answer that are read and kept; the connection is given up where there are more. */
const MOST_BYTES = 20_000;

/**
 * The beginning of an answer's body as text: all of it, or what there was until it was long enough, broke off, or ran out of time. It is not
 * unpacked if it is compressed. What is no UTF-8 becomes U+FFFD, and NUL is left out, for PostgreSQL cannot store it.
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
    // the status has arrived, and that is what counts
  }
  // a character that is cut in two is left out
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MOST_BYTES), { stream: true });
  return text.replaceAll('\0', '');
}
