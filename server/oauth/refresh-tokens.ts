import { REFRESH_TOKEN_LIMITS } from '../../generated/server.ts';
import { DAY_MS, SECOND_MS } from '../domain/time.ts';
import type { RefreshToken } from '../store/tokens.ts';
import { hashOf, isSameHash, TOKEN_LENGTH } from './secrets.ts';

const ENDS_UNUSED_AFTER_MS = REFRESH_TOKEN_LIMITS.unusedDays * DAY_MS;
const GRACE_MS = REFRESH_TOKEN_LIMITS.graceSeconds * SECOND_MS;

/**
 * A refresh token and its successors form a family. They share the beginning of the first token and end differently. So
 * a single row identifies all of them, and every old token is recognized for as long as the family lives. Its key is the
 * hash of the first token.
 */
export function inFamily(token: string) {
  return { tokenHash: hashOf(token.slice(0, TOKEN_LENGTH)), isFirst: token.length <= TOKEN_LENGTH };
}

/**
 * Derives a token's successor from the token and the salt in its row. The server can therefore return it again, but
 * neither the row nor an old token alone reveals it.
 */
export function successorOf(token: string, salt: string): string {
  return token.slice(0, TOKEN_LENGTH) + hashOf(JSON.stringify([token, salt]));
}

/**
 * The state of a token in its family. `replaced`: the previous token, shortly after rotation, so that concurrent
 * refreshes, or one whose response was lost, do not look like theft. `reused`: any other old token.
 */
export function standingOf(
  token: string,
  family: Pick<RefreshToken, 'rotation'>,
  realNow: number,
): 'current' | 'replaced' | 'reused' | 'unknown' {
  const { rotation } = family;
  if (rotation === null) return inFamily(token).isFirst ? 'current' : 'unknown';
  const hash = hashOf(token);
  if (isSameHash(hash, rotation.currentHash)) return 'current';
  const isInGrace = realNow < rotation.rotatedAt + GRACE_MS;
  return isInGrace && isSameHash(hash, rotation.previousHash) ? 'replaced' : 'reused';
}

/** Whether a refresh token has expired because it was not used for too long. */
export function hasEnded({ lastUsedAt }: Pick<RefreshToken, 'lastUsedAt'>, realNow: number): boolean {
  return lastUsedAt <= endedIfLastUsedBy(realNow);
}

/** Refresh tokens that were last used by this time have expired at `realNow`. */
export function endedIfLastUsedBy(realNow: number): number {
  return realNow - ENDS_UNUSED_AFTER_MS;
}
