import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { WebhookBodyError, WebhookSignatureError } from './errors.ts';

/** The value of X-Svc-Signature or X-Svc-Signatures, as Node, Express and the Fetch API return it. */
export type SignatureHeader = string | readonly string[] | null | undefined;

/** The verification token; several while you replace one. */
export type VerificationToken = string | readonly string[];

export type Environment = 'production' | 'sandbox';

/** The verification tokens of both environments; several of one while you replace it. */
export type EnvironmentTokens = Readonly<Record<Environment, VerificationToken>>;

const SIGNATURE = /^sha256=[A-Za-z0-9+/]{43}=$/;

/**
 * Checks that a body was signed with the verification token: HMAC-SHA256 of its bytes (RFC 2104), compared in constant
 * time. For receivers that keep the bytes and parse them later; others use `verifyWebhook`.
 * @param rawBody the unparsed body
 * @param header one or more signatures, separated by commas. One valid signature is enough
 * @returns with the tokens of both environments, the one whose token verifies the body
 * @throws WebhookSignatureError if none is right
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
      'The signature is that of another body or another verification token. Verify the bytes that arrived, and the token as the developer portal shows it now.',
    );
  }
  return right.environment;
}

const PARSED =
  'A webhook is verified over its body as it arrived, a Uint8Array or a string, and this one was parsed: have express.raw({ type: "application/json" }) read it, not express.json().';

/** A token, and its environment if the receiver distinguishes them. */
interface Key {
  readonly key: string;
  readonly environment?: Environment;
}

/**
 * @throws TypeError if there is no token or an empty one, with which anyone could sign, or if one token is that of both
 * environments, which then could not be told apart
 */
export function keysOf(token: VerificationToken | EnvironmentTokens): readonly Key[] {
  if (!isByEnvironment(token)) return tokensOf(token).map((key) => ({ key }));
  const keys = (['production', 'sandbox'] as const).flatMap((environment) =>
    tokensOf(token[environment]).map((key) => ({ key, environment })),
  );
  const ofSandbox = keys.filter(({ environment }) => environment === 'sandbox').map(({ key }) => key);
  if (keys.some(({ key, environment }) => environment === 'production' && ofSandbox.includes(key))) {
    throw new TypeError('The verification tokens of production and of the sandbox are the same; each has its own.');
  }
  return keys;
}

function isByEnvironment(token: VerificationToken | EnvironmentTokens): token is EnvironmentTokens {
  return typeof token === 'object' && token !== null && !Array.isArray(token);
}

function tokensOf(token: VerificationToken): readonly string[] {
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
