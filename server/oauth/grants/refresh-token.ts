import { SCOPES } from '../../../generated/server.ts';
import { Refusal } from '../../domain/refusal.ts';
import { scopesOf } from '../../domain/scopes.ts';
import { findRefreshToken } from '../../store/tokens.ts';
import { findWorld } from '../../store/worlds.ts';
import { hashOf } from '../secrets.ts';
import type { Grant } from './grant.ts';
import { issueUserToken } from './user-token.ts';

const NOT_GRANTED = {
  scopes: SCOPES.userToken,
  whyNot: 'the passenger did not grant it, and a renewal only narrows what was granted',
};

/** Issues another access token (RFC 6749, section 6). It can have fewer scopes than the first, never more. */
export const refreshToken: Grant = {
  name: 'refresh_token',
  async issue(request, context) {
    const { refresh_token: given, scope } = request;
    if (given === undefined)
      throw new Refusal('invalid_request', 'The parameter refresh_token is required.', {
        refresh_token: 'is required',
      });
    const found = await findRefreshToken(context.tx, hashOf(given));
    const world = found && (await findWorld(context.tx, found.worldId));
    const isUsable =
      found?.revokedAt === null &&
      found.applicationId === context.application.id &&
      !context.refusedPassengers.has(found.passengerId) &&
      // the sandbox secret is valid for every sandbox of the application
      world?.kind === context.world.kind;
    if (!isUsable) throw new Refusal('invalid_grant', 'The refresh token is unknown or has been revoked.');
    const scopes = scopesOf(scope, found.scopes, found.scopes, NOT_GRANTED);
    const { passengerId, tokenHash } = found;
    const user = { passengerId, scopes, codeHash: found.codeHash, refreshTokenHash: tokenHash };
    return issueUserToken({ ...context, world }, user);
  },
};
