import { HOUR_MS, SECOND_MS } from '../../domain/time.ts';
import { insertAccessToken, insertRefreshToken } from '../../store/tokens.ts';
import { hashOf } from '../secrets.ts';
import type { Granted, Issuing } from './grant.ts';

const USER_TOKEN_TTL_MS = HOUR_MS;

interface Granting {
  /** Null for a client token. */
  readonly passengerId: string | null;
  readonly scopes: readonly string[];
  /** Hash of the consent's code; null without one. */
  readonly codeHash: string | null;
}

/** Issues a user token, and a refresh token for the scope offline. @param ttlMs lifetime of the user token */
export async function issueFirstTokens(
  context: Issuing,
  granting: Granting & { readonly passengerId: string },
  ttlMs = USER_TOKEN_TTL_MS,
): Promise<Granted> {
  if (!granting.scopes.includes('offline')) {
    return issueAccessToken(context, { ...granting, refreshTokenHash: null }, ttlMs);
  }
  const { tx, application, world, realNow, newToken } = context;
  const refreshToken = newToken();
  const tokenHash = hashOf(refreshToken);
  await insertRefreshToken(tx, {
    tokenHash,
    applicationId: application.id,
    worldId: world.id,
    ...granting,
    issuedAt: realNow,
    lastUsedAt: realNow,
    revokedAt: null,
    rotation: null,
  });
  return { ...(await issueAccessToken(context, { ...granting, refreshTokenHash: tokenHash }, ttlMs)), refreshToken };
}

/** Issues an access token. Revoking its code or its refresh token revokes it too. */
export async function issueAccessToken(
  { tx, application, world, realNow, newToken }: Issuing,
  granting: Granting & { readonly refreshTokenHash: string | null },
  ttlMs = USER_TOKEN_TTL_MS,
): Promise<Granted> {
  const accessToken = newToken();
  await insertAccessToken(tx, {
    tokenHash: hashOf(accessToken),
    applicationId: application.id,
    worldId: world.id,
    ...granting,
    issuedAt: realNow,
    expiresAt: realNow + ttlMs,
    revokedAt: null,
  });
  const granted = { scopes: granting.scopes, passengerId: granting.passengerId, worldId: world.id };
  // the contract spells each in its own way
  const tokenType = granting.passengerId === null ? 'Bearer' : 'bearer';
  return { tokenType, accessToken, expiresInSeconds: ttlMs / SECOND_MS, ...granted };
}
