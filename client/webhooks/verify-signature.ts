import { WebhookBodyError, WebhookSignatureError } from './errors.ts';

/** The value of X-Svc-Signature or X-Svc-Signatures, as Node, Express and the Fetch API return it. */
export type SignatureHeader = string | readonly string[] | null | undefined;

/** The unparsed body. */
export type RawBody = Uint8Array | DataView | ArrayBuffer | string;

/** The verification token, or several while you replace one. */
export type VerificationToken = string | readonly string[];

export type Environment = 'production' | 'sandbox';

/** The verification tokens of both environments, each with several values while you replace one. */
export type EnvironmentTokens = Readonly<Record<Environment, VerificationToken>>;

const SIGNATURE = /^sha256=[A-Za-z0-9+/]{43}=$/;

/**
 * Checks that a body was signed with the verification token: HMAC-SHA256 of its bytes (RFC 2104), compared in constant
 * time. For receivers that store the bytes and parse them later; otherwise, use `verifyWebhook`.
 * @param header one or more signatures, separated by commas. One valid signature is enough
 * @returns with the tokens of both environments, the environment whose token verifies the body
 * @throws WebhookSignatureError if no signature is valid
 * @throws WebhookBodyError if the body was parsed
 */
export function verifySignature(
  rawBody: RawBody,
  header: SignatureHeader,
  tokens: EnvironmentTokens,
): Promise<Environment>;
export function verifySignature(
  rawBody: RawBody,
  header: SignatureHeader,
  token: VerificationToken,
): Promise<undefined>;
export function verifySignature(
  rawBody: RawBody,
  header: SignatureHeader,
  token: VerificationToken | EnvironmentTokens,
): Promise<Environment | undefined>;
export async function verifySignature(
  rawBody: RawBody,
  header: SignatureHeader,
  token: VerificationToken | EnvironmentTokens,
): Promise<Environment | undefined> {
  const body = bytesOf(rawBody);
  const keys = keysOf(token);
  const given = signaturesIn(header);
  for (const { key, environment } of keys) {
    const right = await signatureOf(body, key);
    if (given.some((other) => isSame(right, other))) return environment;
  }
  throw new WebhookSignatureError(
    'The signature does not match the body and the verification token. Verify the bytes exactly as they arrived, with the token that the developer portal shows now.',
  );
}

/** A copy, because the caller may reuse its buffer before the signature is computed. */
function bytesOf(rawBody: RawBody): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  if (ArrayBuffer.isView(rawBody))
    return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength).slice();
  // not instanceof: the buffer can come from another realm
  if (Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]') return new Uint8Array(rawBody.slice(0));
  throw new WebhookBodyError(PARSED, 500);
}

async function signatureOf(body: Uint8Array<ArrayBuffer>, token: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(token), algorithm, false, ['sign']);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, body));
  return `sha256=${btoa(String.fromCharCode(...signature))}`;
}

const PARSED =
  'Verification requires the body as it arrived, as a Uint8Array, an ArrayBuffer or a string, but this body was parsed. Read it with express.raw({ type: "application/json" }) instead of express.json().';

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

/** Takes the same time wherever two signatures differ. Both have the same length. */
function isSame(one: string, other: string): boolean {
  let difference = 0;
  for (let index = 0; index < one.length; index++) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}
