import { WebhookBodyError } from './errors.ts';

/** 1 MB; an event is only a few kilobytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

/**
 * The unparsed body of a Fetch API request.
 * @throws WebhookBodyError if the body was already read, if it is too large, or if it is cut off
 */
export async function rawBodyOfFetch(request: Request): Promise<Uint8Array> {
  if (request.bodyUsed) {
    throw new WebhookBodyError(
      'The body was read before webhookHandler. Pass it the request untouched, or a clone() of the request.',
      500,
    );
  }
  refuseIfTooLarge(Number(request.headers.get('content-length') ?? 0));
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.length;
      refuseIfTooLarge(bytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof WebhookBodyError ? error : brokenOff(error);
  }
  const body = new Uint8Array(bytes);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return body;
}

export function refuseIfTooLarge(bytes: number): void {
  if (bytes > MAX_BODY_BYTES) throw tooLarge();
}

export function tooLarge(): WebhookBodyError {
  return new WebhookBodyError(`The body has more than ${MAX_BODY_BYTES} bytes.`, 413);
}

export function brokenOff(cause: unknown): WebhookBodyError {
  return new WebhookBodyError('The body broke off before its end.', 400, { cause });
}
