import { EVENT_TYPES, type WebhookEvent } from '../../generated/webhooks.ts';
import { WebhookBodyError } from './errors.ts';
import {
  type Environment,
  type EnvironmentTokens,
  type RawBody,
  type SignatureHeader,
  type VerificationToken,
  verifySignature,
} from './verify-signature.ts';

/**
 * Verifies the signature of a webhook request and returns its event. Use `event_type` and `event.status` to narrow its
 * type. It also returns event types that are newer than this client, so ignore those you do not know.
 *
 * ```ts
 * app.post('/webhooks', express.raw({ type: 'application/json' }), async (req, res) => {
 *   const event = await verifyWebhook(req.body, req.get('X-Svc-Signature'), token);
 *   if (event.event.status === 'arrived') console.log(event.event.vehicle.license_plate);
 *   res.sendStatus(204);
 * });
 * ```
 * @param header the value of X-Svc-Signature, or of X-Svc-Signatures, which has the signatures of both tokens for 24
 * hours after a change
 * @param token the verification token from the developer portal, or several while you replace one. With tokens of both
 * environments, the event has the `environment` whose token verifies it, so no one can pass off a sandbox event as live
 * @throws WebhookSignatureError if no signature is valid
 * @throws WebhookBodyError if the body is not an event
 */
export function verifyWebhook(
  rawBody: RawBody,
  header: SignatureHeader,
  tokens: EnvironmentTokens,
): Promise<WebhookEvent & { readonly environment: Environment }>;
export function verifyWebhook(
  rawBody: RawBody,
  header: SignatureHeader,
  token: VerificationToken,
): Promise<WebhookEvent>;
export function verifyWebhook(
  rawBody: RawBody,
  header: SignatureHeader,
  token: VerificationToken | EnvironmentTokens,
): Promise<WebhookEvent & { readonly environment?: Environment }>;
export async function verifyWebhook(
  rawBody: RawBody,
  header: SignatureHeader,
  token: VerificationToken | EnvironmentTokens,
): Promise<WebhookEvent & { readonly environment?: Environment }> {
  const environment = await verifySignature(rawBody, header, token);
  const body = parse(rawBody);
  const fault = faultOf(body);
  if (fault !== undefined) throw new WebhookBodyError(`The body is not an event: ${fault}.`);
  return environment === undefined ? (body as WebhookEvent) : { ...(body as WebhookEvent), environment };
}

function parse(rawBody: RawBody): unknown {
  try {
    return JSON.parse(
      typeof rawBody === 'string' ? rawBody : new TextDecoder('utf-8', { fatal: true }).decode(rawBody),
    );
  } catch (cause) {
    throw new WebhookBodyError('The body is not JSON.', 400, { cause });
  }
}

/** Checks only what every receiver needs, so that new fields and types pass. */
function faultOf(body: unknown): string | undefined {
  const fault = faultIn(body, ['event_id', 'event_type', 'occurred_at']);
  if (fault !== undefined) return fault;
  const { event_type, event } = body as WebhookEvent;
  const rideFault = EVENT_TYPES.includes(event_type) ? faultIn(event, ['ride_id', 'status']) : undefined;
  return rideFault && `in event, ${rideFault}`;
}

function faultIn(value: unknown, fields: readonly string[]): string | undefined {
  if (typeof value !== 'object' || value === null) return 'it is not an object';
  const missing = fields.find((field) => typeof Reflect.get(value, field) !== 'string');
  return missing && `${missing} is not a string`;
}
