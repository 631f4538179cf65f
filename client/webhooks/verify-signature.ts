import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { WebhookBodyError, WebhookSignatureError } from './errors.ts';

/** The value of X-Svc-Signature or X-Svc-Signatures, as Node, Express and the Fetch API return it. */
export type SignatureHeader = string | readonly string[] | null | undefined;

/** The verification token; several while you replace one. */
export type VerificationToken = string | readonly string[];

const SIGNATURE = /^sha256=[A-Za-z0-9+/]{43}=$/;

/**
 * Checks that a body was signed with the verification token: HMAC-SHA256 of its bytes (RFC 2104), compared in constant
 * time. For receivers that keep the bytes and parse them later; others use `verifyWebhook`.
 * @param rawBody the unparsed body
 * @param header one or more signatures, separated by commas. One valid signature is enough
 * @throws WebhookSignatureError if none is right
 * @throws WebhookBodyError if the body was parsed
 */
export function verifySignature(rawBody: Uint8Array | string, header: SignatureHeader, token: VerificationToken): void {
  if (typeof rawBody !== 'string' && !ArrayBuffer.isView(rawBody)) throw new WebhookBodyError(PARSED, 500);
  const right = tokensOf(token).map((key) => `sha256=${createHmac('sha256', key).update(rawBody).digest('base64')}`);
  const given = signaturesIn(header);
  if (!given.some((signature) => right.some((other) => isSame(signature, other)))) {
    throw new WebhookSignatureError(
      'The signature is that of another body or another verification token. Verify the bytes that arrived, and the token as the developer portal shows it now.',
    );
  }
}

const PARSED =
  'A webhook is verified over its body as it arrived, a Uint8Array or a string, and this one was parsed: have express.raw({ type: "application/json" }) read it, not express.json().';

/** @throws TypeError if there is no token or an empty one, with which anyone could sign */
export function tokensOf(token: VerificationToken): readonly string[] {
  const tokens = [token].flat();
  if (tokens.length === 0 || !tokens.every((each) => typeof each === 'string' && each !== '')) {
    throw new TypeError('The verification token is missing; the developer portal shows it beside the client id.');
  }
  return tokens;
}

function signaturesIn(header: SignatureHeader): string[] {
  const values = [header ?? []].flat().flatMap((line) => line.split(','));
  const given = values.map((value) => value.trim()).filter((value) => value !== '');
  if (given.length === 0)
    throw new WebhookSignatureError('The signature is missing: there is no X-Svc-Signature header.');
  const signatures = given.filter((value) => SIGNATURE.test(value));
  if (signatures.length === 0) {
    throw new WebhookSignatureError('The signature is unreadable: it is not sha256= and 44 characters of base64.');
  }
  return signatures;
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
