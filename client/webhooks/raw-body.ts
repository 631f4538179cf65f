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
  const body = growingBody();
  try {
    for await (const chunk of request.body ?? []) body.add(chunk);
  } catch (error) {
    throw error instanceof WebhookBodyError ? error : brokenOff(error);
  }
  return body.bytes();
}

/** Copies the pieces of a body into one buffer: kept as it came, a piece of one byte would take hundreds. */
export function growingBody() {
  let [buffer, length] = [new Uint8Array(), 0];
  return {
    /** @throws WebhookBodyError if the body is too large */
    add: (piece: Uint8Array): void => {
      const needed = length + piece.length;
      refuseIfTooLarge(needed);
      if (needed > buffer.length) {
        const larger = new Uint8Array(Math.min(2 * needed, MAX_BODY_BYTES));
        larger.set(buffer);
        buffer = larger;
      }
      buffer.set(piece, length);
      length = needed;
    },
    bytes: (): Uint8Array => buffer.subarray(0, length),
  };
}

export function refuseIfTooLarge(bytes: number): void {
  if (bytes > MAX_BODY_BYTES) throw new WebhookBodyError(`The body has more than ${MAX_BODY_BYTES} bytes.`, 413);
}

export function brokenOff(cause: unknown): WebhookBodyError {
  return new WebhookBodyError('The body broke off before its end.', 400, { cause });
}
