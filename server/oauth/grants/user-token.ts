import { CONSENT_LIMITS } from '../../../generated/server.ts';
import { HOUR_MS, SECOND_MS } from '../../domain/time.ts';
import {
  type AccessToken,
  endOldestConsents,
  insertAccessToken,
  insertRefreshToken,
  keepNewestTokens,
} from '../../store/tokens.ts';
import { hashOf } from '../secrets.ts';
import type { Granted, Issuing } from './grant.ts';

const USER_TOKEN_TTL_MS = HOUR_MS;

/** Whom a token is for. `codeHash` is null without a consent. */
type Granting = Pick<AccessToken, 'passengerId' | 'scopes' | 'codeHash'>;

/** Issues a user token, and a refresh token for the scope offline. @param ttlMs lifetime of the user token */
export async function issueFirstTokens(
  context: Issuing,
  granting: Granting & { readonly passengerId: string },
  ttlMs = USER_TOKEN_TTL_MS,
): Promise<Granted> {
  const { tx, application, world, realNow, newToken } = context;
  const holder = { applicationId: application.id, worldId: world.id, passengerId: granting.passengerId };
  const isOffline = granting.scopes.includes('offline');
  if (granting.codeHash !== null) await endOldestConsents(tx, holder, isOffline, CONSENT_LIMITS.consents - 1);
  if (!isOffline) return issueAccessToken(context, { ...granting, refreshTokenHash: null }, ttlMs);
  const refreshToken = newToken();
  const tokenHash = hashOf(refreshToken);
  await insertRefreshToken(tx, {
    ...{ ...granting, tokenHash, applicationId: application.id, worldId: world.id },
    ...{ issuedAt: realNow, lastUsedAt: realNow, revokedAt: null, rotation: null },
  });
  return { ...(await issueAccessToken(context, { ...granting, refreshTokenHash: tokenHash }, ttlMs)), refreshToken };
}

/** Issues an access token, and ends the oldest of too many. Revoking its code or its refresh token revokes it too. */
export async function issueAccessToken(
  { tx, application, world, realNow, newToken }: Issuing,
  granting: Granting & Pick<AccessToken, 'refreshTokenHash'>,
  ttlMs = USER_TOKEN_TTL_MS,
): Promise<Granted> {
  const { passengerId, scopes, codeHash, refreshTokenHash } = granting;
  const accessToken = newToken();
  const tokenHash = hashOf(accessToken);
  await insertAccessToken(tx, {
    ...{ tokenHash, applicationId: application.id, worldId: world.id },
    ...{ passengerId, scopes, codeHash, refreshTokenHash },
    ...{ issuedAt: realNow, expiresAt: realNow + ttlMs, revokedAt: null },
  });
  if (passengerId !== null) {
    const holder = { applicationId: application.id, worldId: world.id, passengerId };
    await keepNewestTokens(tx, holder, tokenHash, CONSENT_LIMITS.accessTokens, realNow);
  }
  return { accessToken, expiresInSeconds: ttlMs / SECOND_MS, scopes, passengerId, worldId: world.id };
}
