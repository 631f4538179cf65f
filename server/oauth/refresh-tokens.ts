import { REFRESH_TOKEN_LIMITS } from '../../generated/server.ts';
import { DAY_MS, SECOND_MS } from '../domain/time.ts';
import type { RefreshToken } from '../store/tokens.ts';
import { hashOf, isSameHash, TOKEN_LENGTH } from './secrets.ts';

const ENDS_UNUSED_AFTER_MS = REFRESH_TOKEN_LIMITS.unusedDays * DAY_MS;
const GRACE_MS = REFRESH_TOKEN_LIMITS.graceSeconds * SECOND_MS;

/**
 * The refresh tokens that follow each other are a family: they begin with the first one, and end differently. So one row
 * knows them all, however many there were, and each old one is recognized for as long as the family lives.
 */
export interface InFamily {
  /** The key of the row: the hash of the first token. */
  readonly tokenHash: string;
  readonly isFirst: boolean;
}

export function inFamily(token: string): InFamily {
  return { tokenHash: hashOf(token.slice(0, TOKEN_LENGTH)), isFirst: token.length <= TOKEN_LENGTH };
}

/**
 * The token that follows one. It needs the token and the salt in its row, so it can be returned again while neither the
 * row nor an old token alone gives it away.
 */
export function successorOf(token: string, salt: string): string {
  return token.slice(0, TOKEN_LENGTH) + hashOf(JSON.stringify([token, salt]));
}

/**
 * What a token of a family is. `replaced`: the one before the current one, shortly after it was replaced, so that two
 * renewals at once, or one whose response was lost, do not look like a theft. `reused`: any other old one.
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

/** Whether nobody has used a refresh token for so long that it has ended. */
export function hasEnded({ lastUsedAt }: Pick<RefreshToken, 'lastUsedAt'>, realNow: number): boolean {
  return lastUsedAt <= endedIfLastUsedBy(realNow);
}

/** A refresh token that was last used then, or earlier, has ended. */
export function endedIfLastUsedBy(realNow: number): number {
  return realNow - ENDS_UNUSED_AFTER_MS;
}
