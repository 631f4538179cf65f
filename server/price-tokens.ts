import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import type { CancelClaims } from './domain/pricing/cancel-token.ts';
import type { CostClaims } from './domain/pricing/cost-token.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What a token is for; a token of one kind is not accepted as the other. */
interface ClaimsOf {
  cost: CostClaims;
  cancel: CancelClaims;
}

/** Seals offered prices and fees, so that only this server can read or make their tokens. */
export interface PriceTokens {
  /** The same claims give the same token. The claims include their expiry, in world time. */
  seal<Kind extends keyof ClaimsOf>(kind: Kind, claims: ClaimsOf[Kind]): string;
  /** The claims of a token; null without one, 'unreadable' for one that this server did not seal for this purpose. */
  open<Kind extends keyof ClaimsOf>(kind: Kind, token: string | undefined): ClaimsOf[Kind] | 'unreadable' | null;
}

/** @param key secret, at least 32 bytes */
export function priceTokens(key: Uint8Array): PriceTokens {
  const derived = (use: string) => Buffer.from(hkdfSync('sha256', key, '', use, KEY_BYTES));
  const [cipherKey, nonceKey] = [derived('price tokens'), derived('nonces of price tokens')];
  // derived from the content: a ride that is read twice shows the same token, and no two contents share a nonce
  const nonceOf = (kind: string, text: string) =>
    createHmac('sha256', nonceKey).update(`${kind} ${text}`).digest().subarray(0, NONCE_BYTES);

  return {
    seal: (kind, claims) => {
      const text = JSON.stringify(claims);
      const nonce = nonceOf(kind, text);
      const cipher = createCipheriv(CIPHER, cipherKey, nonce).setAAD(Buffer.from(kind));
      return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url');
    },
    open: (kind, token) => {
      if (token === undefined) return null;
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return 'unreadable';
      const decipher = createDecipheriv(CIPHER, cipherKey, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(kind));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8');
        return JSON.parse(text + decipher.final('utf8'));
      } catch {
        return 'unreadable';
      }
    },
  };
}

/** Makes a cost token valid for one ride only. */
export function newCostTokenId({ randomBytes }: { readonly randomBytes: (size: number) => Uint8Array }): string {
  return Buffer.from(randomBytes(16)).toString('base64url');
}
