import { Refusal } from '../../domain/refusal.ts';
import type { World } from '../../domain/worlds/clock.ts';
import { PATHS } from '../../links.ts';
import { keepUsed } from '../../store/departures.ts';
import { holdAccount, insertStandIn } from '../../store/passengers.ts';
import { revokeByCode } from '../../store/revoke-tokens.ts';
import type { Tx } from '../../store/schema.ts';
import { findCode, useCode } from '../../store/tokens.ts';
import { holdWorld } from '../../store/worlds.ts';
import { hashOf, isSameHash } from '../secrets.ts';
import { type Grant, required } from './grant.ts';
import { issueFirstTokens } from './user-token.ts';

const UNUSABLE = 'The code is unknown, expired or already used.';

/** Exchanges the code of a consent for a token (RFC 6749, section 4.1.3). */
export const authorizationCode: Grant = {
  name: 'authorization_code',
  async issue(request, context) {
    const { tx, application, world, realNow } = context;
    const code = await findCode(tx, hashOf(required(request, 'code')));
    if (code?.applicationId !== application.id) throw refusal(UNUSABLE);
    if (context.refusedPassengers.has(code.passengerId)) throw refusal(UNUSABLE);
    // a used code skips these checks, so that its reuse is always detected below
    if (code.usedAt === null) {
      if (code.expiresAt <= realNow || !(await holdAccount(tx, code.passengerId))) throw refusal(UNUSABLE);
      // throwing keeps the code valid: a client's mistake must not cost the passenger a second consent
      assertVerifier(code.codeChallenge, request.code_verifier);
      // optional, as in OAuth 2.1
      const { redirect_uri: named = code.redirectUri } = request;
      if (named !== code.redirectUri) throw refusal('The redirect_uri does not match the authorization request.');
    }
    const { codeHash, passengerId, scopes } = code;
    if (!(await useCode(tx, codeHash, realNow))) {
      if (context.hasHungUp()) throw refusal(UNUSABLE);
      // the code was leaked, so its tokens are no longer safe (RFC 6749, section 4.1.2)
      await revokeByCode(tx, codeHash, realNow);
      return { refusal: refusal(UNUSABLE), event: 'code_reused', passengerId };
    }
    if (world.kind === 'sandbox') {
      // locks the world: otherwise, a stand-in in a concurrently deleted sandbox would stay forever
      await holdWorld(tx, world);
      await holdStandIn(tx, world, passengerId, realNow);
    }
    return issueFirstTokens(context, { passengerId, scopes, codeHash });
  },
};

/** Adds the passenger's stand-in, or keeps the one that a sweep is deleting because no call used it. */
async function holdStandIn(tx: Tx, world: World, passengerId: string, realNow: number): Promise<void> {
  const insert = () => insertStandIn(tx, world, passengerId, PATHS.person, realNow);
  const isNew = await insert();
  // the sweep may have deleted the row meanwhile
  if (!isNew && (await keepUsed(tx, world.id, passengerId, realNow))) await insert();
}

/** Throws Refusal `invalid_grant` unless the verifier matches the challenge (S256: RFC 7636, section 4.6). */
function assertVerifier(challenge: string | null, verifier: string | undefined): void {
  if (challenge === null) {
    if (verifier === undefined) return;
    // an attacker may have removed the challenge from the request (RFC 9700, section 4.8.2)
    throw refusal('The authorization request had no code_challenge. Do not send a code_verifier.');
  }
  if (verifier === undefined) throw refusal('The authorization request had a code_challenge. Send its code_verifier.');
  if (!isSameHash(hashOf(verifier), challenge)) throw refusal('The code_verifier does not match the code_challenge.');
}

function refusal(description: string): Refusal {
  return new Refusal('invalid_grant', description);
}
