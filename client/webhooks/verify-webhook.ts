import { EVENT_TYPES, type WebhookEvent } from '../../generated/webhooks.ts';
import { WebhookBodyError } from './errors.ts';
import { type SignatureHeader, type VerificationToken, verifySignature } from './verify-signature.ts';

/**
 * The event in a webhook request, once its signature has proved who sent it. `event_type` tells the events apart, and
 * `event.status` the rides in them. Types that are newer than this client come through as they are, so leave room for them.
 *
 * ```ts
 * app.post('/webhooks', express.raw({ type: 'application/json' }), (req, res) => {
 *   const event = verifyWebhook(req.body, req.get('X-Svc-Signature'), token);
 *   if (event.event.status === 'arrived') console.log(event.event.vehicle.license_plate);
 *   res.sendStatus(204);
 * });
 * ```
 * @param rawBody the body as it arrived, before anything parsed it
 * @param header the value of X-Svc-Signature, or that of X-Svc-Signatures, which for 24 hours after a change of the token has
 * the signatures of both
 * @param token the verification token, from the developer portal; several while you replace one
 * @throws WebhookSignatureError when no signature is right
 * @throws WebhookBodyError when the body is no event
 */
export function verifyWebhook(
  rawBody: Uint8Array | string,
  header: SignatureHeader,
  token: VerificationToken,
): WebhookEvent {
  verifySignature(rawBody, header, token);
  const body = parse(rawBody);
  const fault = faultOf(body);
  if (fault !== undefined) throw new WebhookBodyError(`The body is no event: ${fault}.`);
  return body as WebhookEvent;
}

function parse(rawBody: Uint8Array | string): unknown {
  try {
    return JSON.parse(
      typeof rawBody === 'string' ? rawBody : new TextDecoder('utf-8', { fatal: true }).decode(rawBody),
    );
  } catch (cause) {
    throw new WebhookBodyError('The body is not JSON.', 400, { cause });
  }
}

/** What a receiver could stumble over. The rest is the sender's to keep, and what is new is welcome. */
function faultOf(body: unknown): string | undefined {
  const fault = faultIn(body, ['event_id', 'event_type', 'occurred_at']);
  if (fault !== undefined) return fault;
  const { event_type, event } = body as WebhookEvent;
  const rideFault = EVENT_TYPES.includes(event_type) ? faultIn(event, ['ride_id', 'status']) : undefined;
  return rideFault && `in event, ${rideFault}`;
}

function faultIn(value: unknown, fields: readonly string[]): string | undefined {
  if (typeof value !== 'object' || value === null) return 'there is no object';
  const missing = fields.find((field) => typeof Reflect.get(value, field) !== 'string');
  return missing && `${missing} is not a string`;
}
