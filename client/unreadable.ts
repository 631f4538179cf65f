import { saysExpired } from './tokens/token-expired.ts';

/** A response that the API did not write, such as the page of a proxy, or one of more than 8 MiB. */
export interface Unreadable {
  readonly status: number;
  /** The value of Content-Type. Null: the response has no such header. */
  readonly contentType: string | null;
  /** The first 1,000 characters of the body. */
  readonly text: string;
}

export class UnreadableResponse extends Error {
  readonly unreadable: Unreadable;
  readonly response: Response;

  constructor(response: Response, text: string) {
    super(`The response with status ${response.status} is not of the API.`);
    this.unreadable = {
      status: response.status,
      contentType: response.headers.get('content-type'),
      text: text.slice(0, 1000),
    };
    this.response = response;
  }
}

/** Bytes of a body, uncompressed. The longest of the API have less than two million. A proxy's could fill the memory. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Reads a copy of the body.
 * @throws UnreadableResponse if the API did not write the response
 */
export async function checkReadable(response: Response): Promise<void> {
  const copy = response.clone();
  const reader = copy.body?.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = [reader ? '' : await copy.text(), 0];
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    text += decoder.decode(part.value, { stream: true });
    bytes += part.value.length;
    if (bytes <= MOST_BYTES) continue;
    // ends the download; a copy waits for the other one
    Promise.all([reader?.cancel(), response.body?.cancel()]).catch(() => {});
    throw new UnreadableResponse(response, text);
  }
  if (!isOurs(response, text + decoder.decode())) throw new UnreadableResponse(response, text);
}

function isOurs(response: Response, text: string): boolean {
  // an empty body
  if (response.status === 204 || saysExpired(response)) return text === '';
  if (!/^application\/json\b/i.test(response.headers.get('content-type') ?? '')) return false;
  try {
    const body: unknown = JSON.parse(text);
    return response.ok || typeof Reflect.get(body as object, 'error') === 'string';
  } catch {
    return false;
  }
}
