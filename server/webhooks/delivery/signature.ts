import { createHmac } from 'node:crypto';
import { DAY_MS } from '../../domain/time.ts';

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
  return `sha256=${createHmac('sha256', token).update(body).digest('base64')}`;
}

/**
 * The signatures of a body, the current token's first. For a day after a change, the previous token's signature
 * follows, so that a receiver can switch tokens without losing an event. Throws an Error if the current token is empty,
 * because anyone could forge that signature.
 * @param now real milliseconds UTC
 */
export function signaturesOf(body: string | Uint8Array, tokens: VerificationTokens, now: number): string[] {
  const { verificationToken, previousVerificationToken, verificationTokenChangedAt } = tokens;
  if (verificationToken === '') throw new Error('The verification token is empty.');
  const hasChangedLately = verificationTokenChangedAt !== null && now < verificationTokenChangedAt + PREVIOUS_TOKEN_MS;
  const previous = hasChangedLately && previousVerificationToken ? [previousVerificationToken] : [];
  return [verificationToken, ...previous].map((token) => signatureOf(body, token));
}
