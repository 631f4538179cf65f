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
import { type Grant, required } from './grant.ts';
import { issueAccessToken } from './user-token.ts';

const NOT_GRANTED = {
  scopes: SCOPES.userToken,
  whyNot: 'the passenger did not grant it, and a refresh cannot add scopes',
};

/** Issues another access token (RFC 6749, section 6), perhaps with fewer scopes and with a new refresh token. */
export const refreshToken: Grant = {
  name: 'refresh_token',
  async issue(request, context) {
    const given = required(request, 'refresh_token');
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
    if (standing === 'reused' && !context.hasHungUp()) {
      // the token was leaked, and it is unknown who holds the current one (RFC 9700, section 4.14.2)
      await revokeRefreshToken(tx, { ...found, isFirst: true }, world.kind, realNow);
      return { refusal: notUsable(), event: 'refresh_token_reused', passengerId: found.passengerId };
    }
    if (standing === 'unknown' || standing === 'reused') throw notUsable();
    const scopes = scopesOf(request.scope, found.scopes, found.scopes, NOT_GRANTED);
    const isReplacing = standing === 'current' && (await rotatesRefreshTokens(tx, application.id));
    const rotation = isReplacing ? rotated(given, context.newToken(), realNow) : found.rotation;
    await saveRefresh(tx, { ...found, lastUsedAt: realNow, rotation });
    const user = { ...found, scopes, refreshTokenHash: found.tokenHash };
    const granted = await issueAccessToken({ ...context, world }, user);
    const isFollowed = isReplacing || standing === 'replaced';
    return { ...granted, ...(isFollowed && rotation && { refreshToken: successorOf(given, rotation.salt) }) };
  },
};

function rotated(given: string, salt: string, rotatedAt: number): Rotation {
  return { currentHash: hashOf(successorOf(given, salt)), previousHash: hashOf(given), salt, rotatedAt };
}

function notUsable(): Refusal {
  return new Refusal('invalid_grant', 'The refresh token is unknown, expired or revoked.');
}
