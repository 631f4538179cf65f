import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { WebhookBodyError, WebhookSignatureError } from './errors.ts';

/** The value of X-Svc-Signature or X-Svc-Signatures, as Node, Express and the Fetch API return it. */
export type SignatureHeader = string | readonly string[] | null | undefined;

/** The verification token, or several while you replace one. */
export type VerificationToken = string | readonly string[];

export type Environment = 'production' | 'sandbox';

/** The verification tokens of both environments, each with several values while you replace one. */
export type EnvironmentTokens = Readonly<Record<Environment, VerificationToken>>;

const SIGNATURE = /^sha256=[A-Za-z0-9+/]{43}=$/;

/**
 * Checks that a body was signed with the verification token: HMAC-SHA256 of its bytes (RFC 2104), compared in constant
 * time. For receivers that store the bytes and parse them later; otherwise, use `verifyWebhook`.
 * @param rawBody the unparsed body
 * @param header one or more signatures, separated by commas. One valid signature is enough
 * @returns with the tokens of both environments, the environment whose token verifies the body
 * @throws WebhookSignatureError if no signature is valid
 * @throws WebhookBodyError if the body was parsed
 */
export function verifySignature(
  rawBody: Uint8Array | string,
  header: SignatureHeader,
  tokens: EnvironmentTokens,
): Environment;
export function verifySignature(rawBody: Uint8Array | string, header: SignatureHeader, token: VerificationToken): void;
export function verifySignature(
  rawBody: Uint8Array | string,
  header: SignatureHeader,
  token: VerificationToken | EnvironmentTokens,
): Environment | undefined;
export function verifySignature(
  rawBody: Uint8Array | string,
  header: SignatureHeader,
  token: VerificationToken | EnvironmentTokens,
): Environment | undefined {
  if (typeof rawBody !== 'string' && !ArrayBuffer.isView(rawBody)) throw new WebhookBodyError(PARSED, 500);
  const keys = keysOf(token);
  const given = signaturesIn(header);
  const right = keys.find(({ key }) => {
    const signature = `sha256=${createHmac('sha256', key).update(rawBody).digest('base64')}`;
    return given.some((other) => isSame(signature, other));
  });
  if (right === undefined) {
    throw new WebhookSignatureError(
      'The signature does not match the body and the verification token. Verify the bytes exactly as they arrived, with the token that the developer portal shows now.',
    );
  }
  return right.environment;
}

const PARSED =
  'Verification requires the body as it arrived, as a Uint8Array or a string, but this body was parsed. Read it with express.raw({ type: "application/json" }) instead of express.json().';

/** A token, and its environment if the receiver tells live and sandbox webhooks apart. */
interface Key {
  readonly key: string;
  readonly environment?: Environment;
}

/**
 * @throws TypeError if there is no token; if a token is empty, because anyone could sign with it; or if both
 *   environments share a token, because they could not be told apart
 */
export function keysOf(token: VerificationToken | EnvironmentTokens): readonly Key[] {
  if (!isByEnvironment(token)) return tokensOf(token).map((key) => ({ key }));
  const keys = (['production', 'sandbox'] as const).flatMap((environment) =>
    tokensOf(token[environment]).map((key) => ({ key, environment })),
  );
  const ofSandbox = keys.filter(({ environment }) => environment === 'sandbox').map(({ key }) => key);
  if (keys.some(({ key, environment }) => environment === 'production' && ofSandbox.includes(key))) {
    throw new TypeError(
      'The verification tokens of production and the sandbox are the same. Use the separate token of each.',
    );
  }
  return keys;
}

function isByEnvironment(token: VerificationToken | EnvironmentTokens): token is EnvironmentTokens {
  return typeof token === 'object' && token !== null && !Array.isArray(token);
}

function tokensOf(token: VerificationToken): readonly string[] {
  const tokens = [token].flat();
  if (tokens.length === 0 || !tokens.every((each) => typeof each === 'string' && each !== '')) {
    throw new TypeError('The verification token is missing. The developer portal shows it next to the client ID.');
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
    throw new WebhookSignatureError(
      'The signature is malformed: it must be sha256= followed by 44 characters of base64.',
    );
  }
  return signatures;
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
