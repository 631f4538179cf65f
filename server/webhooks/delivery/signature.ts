import { createHmac } from 'node:crypto';
import { DAY_MS, SECOND_MS } from '../../domain/time.ts';

/** How long the previous verification token keeps signing after a change. */
const PREVIOUS_TOKEN_MS = DAY_MS;

export interface VerificationTokens {
  readonly verificationToken: string;
  /** Null: there was none. */
  readonly previousVerificationToken: string | null;
  /** When the token last changed, in real milliseconds UTC; null: never. */
  readonly verificationTokenChangedAt: number | null;
}

/** `sha256=` and the HMAC-SHA256 (RFC 2104) of a body in base64, the format of X-Svc-Signature. */
export function signatureOf(body: string | Uint8Array, token: string): string {
  return `sha256=${hmac(body, token)}`;
}

/** What signing an attempt gives, in base64: one signature of each kind for each key, the current one first. */
export interface Signed {
  /** Of the attempt, in real seconds UTC. */
  readonly timestamp: string;
  readonly signatures: readonly string[];
  /** Of Standard Webhooks. */
  readonly standard: readonly string[];
}

/**
 * For a day after a change of the token, the previous one signs too, so that a receiver can switch without losing an
 * event. Throws an Error if the current token is empty, because anyone could forge its signature.
 * @param message a webhook, which every attempt sends unchanged
 * @param now of the attempt, in real milliseconds UTC
 */
export function sign(
  { eventId, body }: { readonly eventId: string; readonly body: string },
  tokens: VerificationTokens,
  now: number,
): Signed {
  const keys = keysAt(tokens, now);
  const timestamp = String(Math.floor(now / SECOND_MS));
  return {
    timestamp,
    signatures: keys.map((key) => hmac(body, key)),
    standard: keys.map((key) => hmac(`${eventId}.${timestamp}.${body}`, key)),
  };
}

/** The headers that prove who sends a webhook: ours, and those of Standard Webhooks (standardwebhooks.com). */
export function signatureHeaders(eventId: string, { timestamp, signatures, standard }: Signed) {
  const ours = signatures.map((signature) => `sha256=${signature}`);
  return {
    'X-Svc-Signature': ours[0]!,
    ...(ours.length > 1 && { 'X-Svc-Signatures': ours.join(', ') }),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.map((signature) => `v1,${signature}`).join(' '),
  };
}

/** A verification token as libraries for Standard Webhooks take it. */
export function standardSecret(verificationToken: string): string {
  return `whsec_${Buffer.from(verificationToken).toString('base64')}`;
}

/** The current token, and the previous one while it still signs. */
function keysAt(tokens: VerificationTokens, now: number): string[] {
  const { verificationToken, previousVerificationToken, verificationTokenChangedAt } = tokens;
  if (verificationToken === '') throw new Error('The verification token is empty.');
  const hasChangedLately = verificationTokenChangedAt !== null && now < verificationTokenChangedAt + PREVIOUS_TOKEN_MS;
  return [verificationToken, ...(hasChangedLately && previousVerificationToken ? [previousVerificationToken] : [])];
}

function hmac(text: string | Uint8Array, key: string): string {
  return createHmac('sha256', key).update(text).digest('base64');
}
