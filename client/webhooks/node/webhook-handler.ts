import type { ServerResponse } from 'node:http';
import { headersOf, receiverOf, type WebhookHandlerOptions } from '../receive.ts';
import { type NodeRequest, rawBodyOfNode } from './raw-body.ts';

/**
 * Receives webhooks with Express or node:http. Otherwise it is the same as `webhookHandler` of the Fetch API.
 *
 * ```ts
 * // before express.json(), with express.raw() or with no parser
 * app.post('/webhooks', webhookHandler({ token, on: { 'ride.receipt.ready': ({ event }) => book(event.price) } }));
 * ```
 * @throws TypeError without a verification token, or if both environments have the same one
 */
export function webhookHandler(
  options: WebhookHandlerOptions,
): (request: NodeRequest, response: ServerResponse) => Promise<void> {
  const receive = receiverOf(options);
  return async (request, response) => {
    const { status, text } = await receive(rawBodyOfNode(request), (name) => request.headers[name]);
    // a timeout middleware may have responded already
    if (!response.headersSent) response.writeHead(status, headersOf(text)).end(text ?? undefined);
  };
}
