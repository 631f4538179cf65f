import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { CancelClaims } from './domain/pricing/cancel-token.ts';
import type { CostClaims } from './domain/pricing/cost-token.ts';
import type { SigningKey, SigningKeys } from './signing-keys.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 16;
/** Separates the key's number from the sealed content. */
const AFTER_NUMBER = '.';
/** The key for tokens issued before tokens contained a key number. */
const FIRST_KEY = '1';

/** The kinds of tokens. A token of one kind is not accepted as another. */
interface ClaimsOf {
  cost: CostClaims;
  cancel: CancelClaims;
}

export type PriceTokens = ReturnType<typeof priceTokens>;

/**
 * Seals offered prices and fees, so that only this server can read or create their tokens. A token names its key, and
 * is readable while that key is valid, regardless of its world's clock.
 */
export function priceTokens(keys: SigningKeys) {
  return {
    /** The same claims give the same token, until the signing key changes. They include their expiry, in world time. */
    seal: <Kind extends keyof ClaimsOf>(kind: Kind, claims: ClaimsOf[Kind]): string => {
      const key = keys.signing();
      return key.number + AFTER_NUMBER + sealed(key, kind, JSON.stringify(claims));
    },
    /**
     * The claims of a token. Null: no token. 'unreadable': no valid key sealed it for this purpose. Another process may
     * have sealed it with a newer key, so an unreadable token makes the server reload its keys.
     */
    open: async <Kind extends keyof ClaimsOf>(
      kind: Kind,
      token: string | undefined,
    ): Promise<ClaimsOf[Kind] | 'unreadable' | null> => {
      if (token === undefined) return null;
      let text = opened(keys, kind, token);
      if (text === null) {
        await keys.refreshAfterFailure();
        text = opened(keys, kind, token);
      }
      return text === null ? 'unreadable' : JSON.parse(text);
    },
  };
}

function sealed(key: SigningKey, kind: string, text: string): string {
  // derived from the content: reading a ride twice returns the same token, and no two contents share a nonce
  const nonce = createHmac('sha256', key.derived('nonces of price tokens'))
    .update(`${kind} ${text}`)
    .digest()
    .subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, cipherKeyOf(key), nonce).setAAD(Buffer.from(kind));
  const body = cipher.update(text);
  // finishes the encryption; GCM returns no further bytes
  cipher.final();
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url');
}

/** The text sealed by one of the valid keys; null if none sealed it. */
function opened(keys: SigningKeys, kind: string, token: string): string | null {
  const end = token.indexOf(AFTER_NUMBER);
  const number = end === -1 ? FIRST_KEY : token.slice(0, end);
  const key = keys.valid().find((candidate) => String(candidate.number) === number);
  const bytes = Buffer.from(token.slice(end + 1), 'base64url');
  if (key === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, cipherKeyOf(key), bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(kind)).setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

function cipherKeyOf(key: SigningKey): Buffer {
  return key.derived('price tokens');
}

/** New ids of cost tokens, which limit each token to one ride. Reads random bytes only once for all of them. */
export function newCostTokenIds(randomBytes: (size: number) => Uint8Array, count: number): string[] {
  const bytes = Buffer.from(randomBytes(count * ID_BYTES));
  return Array.from({ length: count }, (_, index) => {
    return bytes.toString('base64url', index * ID_BYTES, (index + 1) * ID_BYTES);
  });
}
