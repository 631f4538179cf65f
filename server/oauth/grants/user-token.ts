import { HOUR_MS, SECOND_MS } from '../../domain/time.ts';
import { insertAccessToken } from '../../store/tokens.ts';
import { hashOf } from '../secrets.ts';
import type { GrantContext, Granted } from './grant.ts';

const USER_TOKEN_TTL_MS = HOUR_MS;

/** A token that acts for a passenger, and what it hangs from: revoked with it. */
export async function issueUserToken(
  { tx, applicationId, world, realNow, newToken }: GrantContext,
  user: {
    readonly passengerId: string;
    readonly scopes: readonly string[];
    readonly codeHash: string | null;
    readonly refreshTokenHash: string | null;
  },
): Promise<Granted> {
  const accessToken = newToken();
  await insertAccessToken(tx, {
    tokenHash: hashOf(accessToken),
    applicationId,
    worldId: world.id,
    ...user,
    issuedAt: realNow,
    expiresAt: realNow + USER_TOKEN_TTL_MS,
    revokedAt: null,
  });
  return {
    tokenType: 'bearer',
    accessToken,
    expiresInSeconds: USER_TOKEN_TTL_MS / SECOND_MS,
    scopes: user.scopes,
  };
}
