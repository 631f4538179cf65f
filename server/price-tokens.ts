import { jwtVerify, SignJWT } from 'jose';
import type { CancelClaims } from './domain/pricing/cancel-token.ts';
import type { CostClaims } from './domain/pricing/cost-token.ts';

/** What a signed token is for; one of a kind is none of another. */
interface ClaimsOf {
  cost: CostClaims;
  cancel: CancelClaims;
}

/** Signs what was offered. The claims carry their own end, in the world's time, so the token has none (RFC 7519). */
export async function signClaims<Kind extends keyof ClaimsOf>(
  kind: Kind,
  claims: ClaimsOf[Kind],
  key: Uint8Array,
): Promise<string> {
  return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256', typ: kind }).sign(key);
}

/** What a token says; null when none came along, 'unreadable' for one that this server did not sign for this purpose. */
export async function readClaims<Kind extends keyof ClaimsOf>(
  kind: Kind,
  token: string | undefined,
  key: Uint8Array,
): Promise<ClaimsOf[Kind] | 'unreadable' | null> {
  if (token === undefined) return null;
  try {
    const { payload } = await jwtVerify<ClaimsOf[Kind]>(token, key, { algorithms: ['HS256'], typ: kind });
    return payload;
  } catch {
    return 'unreadable';
  }
}
