import type { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { WebhookBodyError } from '../errors.ts';
import { brokenOff, growingBody, refuseIfTooLarge } from '../raw-body.ts';

/** A request of node:http or Express, with what a body parser may have added to it. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown };

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

// no `for await`: leaving it early destroys the socket, and the refusal could not be sent
function readNode(request: IncomingMessage): Promise<Uint8Array> {
  const body = growingBody();
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      try {
        body.add(chunk);
      } catch (error) {
        reject(error);
      }
    });
    request.on('end', () => resolve(body.bytes()));
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
