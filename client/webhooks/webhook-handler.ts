import { rawBodyOfFetch } from './raw-body.ts';
import { headersOf, receiverOf, type WebhookHandlerOptions } from './receive.ts';

/**
 * Receives webhooks as a handler of the Fetch API: verifies each request, and handles each event once. If a handler fails, the sender sends the event
 * again. Responds with 204 if the event was handled, now or earlier, or has no handler. Other statuses: 400, not an
 * event; 401, no valid signature; 413, over 1 MB; 500, a handler threw; 503, another process is handling the event.
 *
 * ```ts
 * const handler = webhookHandler({
 *   token: process.env.VERIFICATION_TOKEN ?? '',
 *   on: {
 *     'ride.status.updated': {
 *       accepted: ({ event }) => notify(`${event.driver.first_name} is on the way`),
 *       canceled: ({ event }) => notify(`Canceled by ${event.canceled_by}`),
 *     },
 *     'ride.receipt.ready': ({ event }) => book(event.ride_id, event.price),
 *   },
 * });
 * export const POST = handler; // Next, Hono, Deno, Bun, Cloudflare Workers and others
 * ```
 * @throws TypeError without a verification token, or if both environments have the same one
 */
export function webhookHandler(options: WebhookHandlerOptions): (request: Request) => Promise<Response> {
  const receive = receiverOf(options);
  return async (request) => {
    const { status, text } = await receive(rawBodyOfFetch(request), (name) => request.headers.get(name));
    return new Response(text, { status, headers: headersOf(text) });
  };
}
