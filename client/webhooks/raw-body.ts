import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { WebhookBodyError } from './errors.ts';

/** A request of node:http or Express, with what a body parser may have added to it. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown };

/** 1 MB; an event is only a few kilobytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

/**
 * The unparsed body: from express.raw(), express.text(), `rawBody` (set by some platforms) or the stream.
 * @throws WebhookBodyError if a parser consumed the body, if it is too large, or if it is cut off
 */
export async function rawBodyOfNode(request: NodeRequest): Promise<Uint8Array | string> {
  const kept = [request.body, request.rawBody].find(isRaw);
  if (kept !== undefined) return kept;
  if (request.readableDidRead) {
    throw new WebhookBodyError(
      'A body parser, such as express.json(), read the body before webhookHandler, and the signature covers the original bytes. Mount webhookHandler before the parser, or use express.raw({ type: "application/json" }) for this route.',
      500,
    );
  }
  refuseIfTooLarge(Number(request.headers['content-length'] ?? 0));
  return readNode(request);
}

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
  return Buffer.concat(chunks);
}

// no `for await`: leaving it early destroys the socket, and the refusal could not be sent
function readNode(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
      else reject(tooLarge());
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', (error) => reject(brokenOff(error)));
    // a parser has already read an empty body, and `end` is not emitted again
    if (request.readableEnded) resolve(new Uint8Array());
    // the body was cut off before the listeners were added
    if (request.destroyed) reject(brokenOff(request.errored));
  });
}

function isRaw(body: unknown): body is Uint8Array | string {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function refuseIfTooLarge(bytes: number): void {
  if (bytes > MAX_BODY_BYTES) throw tooLarge();
}

function tooLarge(): WebhookBodyError {
  return new WebhookBodyError(`The body has more than ${MAX_BODY_BYTES} bytes.`, 413);
}

function brokenOff(cause: unknown): WebhookBodyError {
  return new WebhookBodyError('The body broke off before its end.', 400, { cause });
}
