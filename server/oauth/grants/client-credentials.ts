import { DEFAULT_SCOPES, SCOPES } from '../../../generated/server.ts';
import { scopesOf } from '../../domain/scopes.ts';
import { DAY_MS, SECOND_MS } from '../../domain/time.ts';
import { insertAccessToken } from '../../store/tokens.ts';
import { hashOf } from '../secrets.ts';
import type { Grant, Granted, Issuing } from './grant.ts';

const CLIENT_TOKEN_TTL_MS = DAY_MS;
const OF_PASSENGERS = {
  scopes: SCOPES.userToken,
  whyNot: 'it requires the consent of a passenger, and a client token has none',
};

/** Issues a token to the application itself (RFC 6749, section 4.4). */
export const clientCredentials: Grant = {
  name: 'client_credentials',
  issue: ({ scope }, context) =>
    issueClientToken(context, scopesOf(scope, SCOPES.clientToken, DEFAULT_SCOPES, OF_PASSENGERS)),
};

export async function issueClientToken(
  { tx, application, world, realNow, newToken }: Issuing,
  scopes: readonly string[],
): Promise<Granted> {
  const accessToken = newToken();
  await insertAccessToken(tx, {
    tokenHash: hashOf(accessToken),
    applicationId: application.id,
    passengerId: null,
    worldId: world.id,
    scopes,
    issuedAt: realNow,
    expiresAt: realNow + CLIENT_TOKEN_TTL_MS,
    refreshTokenHash: null,
    codeHash: null,
    revokedAt: null,
  });
  const granted = { scopes, passengerId: null, worldId: world.id };
  return { tokenType: 'Bearer', accessToken, expiresInSeconds: CLIENT_TOKEN_TTL_MS / SECOND_MS, ...granted };
}
