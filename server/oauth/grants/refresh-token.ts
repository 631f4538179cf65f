import { SCOPES } from '../../../generated/server.ts';
import { Refusal } from '../../domain/refusal.ts';
import { scopesOf } from '../../domain/scopes.ts';
import { LIVE_WORLD } from '../../domain/worlds/live.ts';
import { rotatesRefreshTokens } from '../../store/applications.ts';
import { revokeRefreshToken } from '../../store/revoke-tokens.ts';
import { findRefreshToken, type Rotation, saveRefresh } from '../../store/tokens.ts';
import { findWorld } from '../../store/worlds.ts';
import { hasEnded, inFamily, standingOf, successorOf } from '../refresh-tokens.ts';
import { hashOf } from '../secrets.ts';
import type { Grant, GrantContext } from './grant.ts';
import { issueAccessToken } from './user-token.ts';

const NOT_GRANTED = {
  scopes: SCOPES.userToken,
  whyNot: 'the passenger did not grant it, and a refresh cannot add scopes',
};

/** Issues another access token (RFC 6749, section 6), perhaps with fewer scopes and with a new refresh token. */
export const refreshToken: Grant = {
  name: 'refresh_token',
  async issue(request, context) {
    const { refresh_token: given, scope } = request;
    if (given === undefined) {
      const detail = { refresh_token: 'is required' };
      throw new Refusal('invalid_request', 'The parameter refresh_token is required.', detail);
    }
    const { tx, application, realNow } = context;
    const found = await findRefreshToken(tx, inFamily(given).tokenHash);
    const world = found && (found.worldId === LIVE_WORLD.id ? LIVE_WORLD : await findWorld(tx, found.worldId));
    const isUsable =
      found?.revokedAt === null &&
      !hasEnded(found, realNow) &&
      found.applicationId === application.id &&
      !context.refusedPassengers.has(found.passengerId) &&
      // the sandbox secret is valid for every sandbox of the application
      world?.kind === context.world.kind;
    if (!isUsable) throw notUsable();
    const standing = standingOf(given, found, realNow);
    if (standing === 'unknown') throw notUsable();
    if (standing === 'reused') {
      if (context.hasHungUp()) throw notUsable();
      // the token was leaked, and it is unknown who holds the current one (RFC 9700, section 4.14.2)
      await revokeRefreshToken(tx, { ...found, isFirst: true }, world.kind, realNow);
      return { refusal: notUsable(), event: 'refresh_token_reused', passengerId: found.passengerId };
    }
    const scopes = scopesOf(scope, found.scopes, found.scopes, NOT_GRANTED);
    const { passengerId, tokenHash } = found;
    const user = { passengerId, scopes, codeHash: found.codeHash, refreshTokenHash: tokenHash };
    const isReplacing = standing === 'current' && (await rotatesRefreshTokens(tx, application.id));
    const rotation = isReplacing ? replacing(given, context) : found.rotation;
    await saveRefresh(tx, { tokenHash, lastUsedAt: realNow, rotation });
    const granted = await issueAccessToken({ ...context, world }, user);
    const isFollowed = isReplacing || standing === 'replaced';
    return { ...granted, ...(isFollowed && rotation && { refreshToken: successorOf(given, rotation.salt) }) };
  },
};

function replacing(given: string, { realNow, newToken }: Pick<GrantContext, 'realNow' | 'newToken'>): Rotation {
  const salt = newToken();
  return { currentHash: hashOf(successorOf(given, salt)), previousHash: hashOf(given), salt, rotatedAt: realNow };
}

function notUsable(): Refusal {
  return new Refusal('invalid_grant', 'The refresh token is unknown, expired or revoked.');
}
