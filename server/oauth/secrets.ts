import { hash, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 32;
/** Length in base64url characters. */
export const TOKEN_LENGTH = Math.ceil((TOKEN_BYTES * 8) / 6);

/** An opaque token of 256 random bits, in base64url. */
export function newToken(randomBytes: (size: number) => Uint8Array): string {
  return Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url');
}

/** The hash to store for a token or client secret. They are random enough for a plain hash. */
export function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Compares two hashes in constant time (RFC 6749, section 10.10). */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
