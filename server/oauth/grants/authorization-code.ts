import { createHash } from 'node:crypto';
import { Refusal } from '../../domain/refusal.ts';
import { LIVE_WORLD } from '../../domain/worlds/live.ts';
import { copyPassengerToWorld } from '../../store/passengers.ts';
import { type AuthorizationCode, findCode, insertRefreshToken, revokeByCode, useCode } from '../../store/tokens.ts';
import { hashOf, isSameHash } from '../secrets.ts';
import type { Grant, TokenRequest } from './grant.ts';
import { issueUserToken } from './user-token.ts';

/** A token for the code of a passenger's consent (RFC 6749, section 4.1.3). */
export const authorizationCode: Grant = {
  name: 'authorization_code',
  async issue(request, context) {
    const { tx, applicationId, world, realNow, newToken } = context;
    if (!request.code) throw new Refusal('invalid_request', 'The parameter code is required.', { code: 'is required' });
    const code = await findCode(tx, hashOf(request.code));
    if (code === undefined || code.applicationId !== applicationId) throw invalidCode();
    // one that was used goes on to be noticed, however late it comes again
    if (code.usedAt === null && code.expiresAt <= realNow) throw invalidCode();
    assertBelongsTogether(code, request);
    const { codeHash, passengerId, scopes } = code;
    if (!(await useCode(tx, codeHash, realNow))) {
      // someone else has it too, so what it gave is no longer safe (RFC 6749, section 4.1.2)
      await revokeByCode(tx, codeHash, realNow);
      return { refusal: invalidCode() };
    }
    await copyPassengerToWorld(tx, LIVE_WORLD.id, world.id, passengerId, realNow);
    if (!scopes.includes('offline')) {
      return issueUserToken(context, { passengerId, scopes, codeHash, refreshTokenHash: null });
    }
    const refreshToken = newToken();
    const refreshTokenHash = hashOf(refreshToken);
    await insertRefreshToken(tx, {
      tokenHash: refreshTokenHash,
      applicationId,
      passengerId,
      worldId: world.id,
      scopes,
      codeHash,
      issuedAt: realNow,
      revokedAt: null,
    });
    return { ...(await issueUserToken(context, { passengerId, scopes, codeHash, refreshTokenHash })), refreshToken };
  },
};

/** Throws Refusal `invalid_grant` unless redirect URI and verifier are those of the authorization request. */
function assertBelongsTogether(code: AuthorizationCode, request: TokenRequest): void {
  if (request.redirect_uri !== undefined && code.redirectUri !== null && request.redirect_uri !== code.redirectUri) {
    throw new Refusal('invalid_grant', 'The redirect_uri is not that of the authorization request.');
  }
  if (code.codeChallenge === null) return;
  // S256: RFC 7636, section 4.6. No verifier is none, also for a challenge that was made of nothing.
  const challenge = request.code_verifier && createHash('sha256').update(request.code_verifier).digest('base64url');
  if (!challenge || !isSameHash(challenge, code.codeChallenge)) {
    throw new Refusal('invalid_grant', 'The code_verifier does not match the code challenge.');
  }
}

function invalidCode(): Refusal {
  return new Refusal('invalid_grant', 'The code is unknown, expired or has been used.');
}
