import { createHmac } from 'node:crypto';
import { DAY_MS } from '../../domain/time.ts';

/** How long after a new verification token the old one still signs, beside it. */
const PREVIOUS_TOKEN_MS = DAY_MS;

/** What an application's webhooks are signed with. */
export interface VerificationTokens {
  readonly verificationToken: string;
  /** The one before, or null: there was none. */
  readonly previousVerificationToken: string | null;
  /** Since when the token is what it is: real milliseconds UTC, or null: from the beginning. */
  readonly verificationTokenChangedAt: number | null;
}

/** `sha256=` and the HMAC-SHA256 (RFC 2104) of a body in base64, as X-Svc-Signature has it. */
export function signatureOf(body: string | Uint8Array, token: string): string {
  return `sha256=${createHmac('sha256', token).update(body).digest('base64')}`;
}

/**
 * The signatures of a body at an instant, the current token's first. For a day after a change the previous token's comes second, so
 * that a receiver can take over the new one without losing an event.
 *
 * @param now real milliseconds UTC
 */
export function signaturesOf(body: string | Uint8Array, tokens: VerificationTokens, now: number): string[] {
  const { verificationToken, previousVerificationToken, verificationTokenChangedAt } = tokens;
  const hasChangedLately = verificationTokenChangedAt !== null && now < verificationTokenChangedAt + PREVIOUS_TOKEN_MS;
  const previous = hasChangedLately && previousVerificationToken !== null ? [previousVerificationToken] : [];
  return [verificationToken, ...previous].map((token) => signatureOf(body, token));
}
