import { createHash } from 'node:crypto';
import { Refusal } from '../../domain/refusal.ts';
import { LIVE_WORLD } from '../../domain/worlds/live.ts';
import { copyPassengerToWorld } from '../../store/passengers.ts';
import { findCode, revokeByCode, useCode } from '../../store/tokens.ts';
import { hashOf, isSameHash } from '../secrets.ts';
import type { Grant } from './grant.ts';
import { issueFirstTokens } from './user-token.ts';

/** A token for the code of a passenger's consent (RFC 6749, section 4.1.3). */
export const authorizationCode: Grant = {
  name: 'authorization_code',
  async issue(request, context) {
    const { tx, application, world, realNow } = context;
    if (!request.code) throw new Refusal('invalid_request', 'The parameter code is required.', { code: 'is required' });
    const code = await findCode(tx, hashOf(request.code));
    if (code === undefined || code.applicationId !== application.id) throw invalidCode();
    // one that was used goes on to be noticed, however late it comes again and whatever comes with it
    if (code.usedAt === null) {
      if (code.expiresAt <= realNow) throw invalidCode();
      // throwing keeps the code: a mistake is not to cost the passenger a second consent
      assertVerifier(code.codeChallenge, request.code_verifier);
      assertRedirectUri(request.redirect_uri, code.redirectUri ?? application.redirectUri);
    }
    const { codeHash, passengerId, scopes } = code;
    if (!(await useCode(tx, codeHash, realNow))) {
      // someone else has it too, so what it gave is no longer safe (RFC 6749, section 4.1.2)
      await revokeByCode(tx, codeHash, realNow);
      return { refusal: invalidCode() };
    }
    await copyPassengerToWorld(tx, LIVE_WORLD.id, world.id, passengerId, realNow);
    return issueFirstTokens(context, { passengerId, scopes, codeHash });
  },
};

/** Throws Refusal `invalid_grant` unless the verifier is that of the challenge (S256: RFC 7636, section 4.6). Empty is none. */
function assertVerifier(challenge: string | null, verifier = ''): void {
  if (challenge === null) {
    if (verifier === '') return;
    // somebody took the challenge out of the authorization request (RFC 9700, section 4.8.2)
    throw new Refusal(
      'invalid_grant',
      'The code was asked for without a code_challenge, so it takes no code_verifier.',
    );
  }
  if (verifier === '')
    throw new Refusal('invalid_grant', 'The code was asked for with a code_challenge: send its code_verifier.');
  if (!isSameHash(createHash('sha256').update(verifier).digest('base64url'), challenge)) {
    throw new Refusal('invalid_grant', 'The code_verifier does not match the code_challenge.');
  }
}

/** Throws Refusal `invalid_grant` unless the URI is, character for character, the one that the code was sent to. Empty is none. */
function assertRedirectUri(named = '', sentTo: string): void {
  // an application has one, so a code can have gone nowhere else when none is named
  if (named === '' || named === sentTo) return;
  throw new Refusal('invalid_grant', 'The redirect_uri is not the one that the code was sent to.');
}

function invalidCode(): Refusal {
  return new Refusal('invalid_grant', 'The code is unknown, expired or has been used.');
}
