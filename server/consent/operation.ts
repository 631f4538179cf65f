import { DEFAULT_SCOPES, type HandlersTagged, SCOPE_SENTENCES } from '../../generated/server.ts';
import type { Passenger } from '../domain/passenger.ts';
import { MINUTE_MS } from '../domain/time.ts';
import type { Contexts, Visitor } from '../http/caller.ts';
import { hashOf, newToken } from '../oauth/secrets.ts';
import { documentOf, type Page, pageHeaders } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import { passengerAccounts } from '../sign-in/accounts.ts';
import { type SignedIn, signedIn } from '../sign-in/session.ts';
import { noteConsent } from '../store/consents.ts';
import { takeDecision } from '../store/decisions.ts';
import { insertCode } from '../store/tokens.ts';
import {
  type AuthorizationRequest,
  locationOf,
  RedirectedRefusal,
  readAuthorizationRequest,
} from './authorization-request.ts';
import { propsOf } from './step.ts';
import { consentPage } from './views/consent.ts';
import { signInPage } from './views/sign-in.ts';

const CODE_TTL_MS = 10 * MINUTE_MS;
/** How long a saved decision is valid: the longest time between the button press and the redirect. */
const DECISION_TTL_MS = MINUTE_MS;

export function consentHandlers(
  parts: Pick<Parts, 'store' | 'randomBytes' | 'refusedApplications' | 'refusedPassengers' | 'hasDemo'>,
): HandlersTagged<'Consent', Contexts> {
  const accounts = passengerAccounts(parts);
  return {
    authorizeApplication: async ({ query, context: visitor }, reply) => {
      const request = await readAuthorizationRequest(parts, { values: { ...query }, faults: [] });
      const who = await signedIn(parts, accounts, visitor);
      const show = (page: Page) => reply(200, documentOf(page), pageHeaders(page));
      if (who === null) {
        const { hasDemo } = parts;
        return show(signInPage({ ...propsOf(request, visitor), hasDemo }));
      }
      const outcome = await takeOutcome(parts, request, who, visitor);
      if (outcome === null) return show(askFor(request, who, visitor));
      return reply(302, undefined, { Location: outcome });
    },
  };
}

/** @param problem with the previous submission, which selected nothing */
export function askFor(
  request: AuthorizationRequest,
  { account: passenger }: SignedIn<Passenger>,
  visitor: Visitor,
  problem?: string,
): Page {
  const lines = request.scopes.map((scope) => ({
    scope,
    sentence: SCOPE_SENTENCES[scope as keyof typeof SCOPE_SENTENCES],
  }));
  return consentPage({
    ...propsOf(request, visitor),
    redirectUri: request.redirectUri,
    passenger,
    always: lines.filter(({ scope }) => !isOptionalScope(scope)),
    optional: lines
      .filter(({ scope }) => isOptionalScope(scope))
      .map((line) => ({ ...line, ticked: problem === undefined })),
    ...(problem !== undefined && { problem }),
  });
}

/** Whether a passenger can clear a scope. */
export function isOptionalScope(scope: string): boolean {
  return !(DEFAULT_SCOPES as readonly string[]).includes(scope);
}

/** The redirect with a code; null without a saved decision. Throws a RedirectedRefusal after a denial. */
async function takeOutcome(
  { store, randomBytes }: Pick<Parts, 'store' | 'randomBytes'>,
  request: AuthorizationRequest,
  { session }: Pick<SignedIn<Passenger>, 'session'>,
  { realNow, audit }: Visitor,
): Promise<string | null> {
  const code = newToken(randomBytes);
  const decision = await store.transaction(async (tx) => {
    const taken = await takeDecision(tx, session.tokenHash, hashOf(request.query));
    if (!taken || taken.decidedAt + DECISION_TTL_MS <= realNow) return null;
    if (taken.scopes === null) return taken;
    const who = { passengerId: session.accountId, applicationId: request.application.id };
    const { redirectUri, codeChallenge } = request;
    await insertCode(tx, {
      ...{ ...who, codeHash: hashOf(code), scopes: taken.scopes, redirectUri, codeChallenge },
      ...{ issuedAt: realNow, expiresAt: realNow + CODE_TTL_MS, usedAt: null },
    });
    await noteConsent(tx, { ...who, at: realNow });
    return taken;
  });
  if (decision === null) return null;
  const by = { application: request.application.id, passenger: session.accountId };
  const result = decision.scopes === null ? 'denied' : 'allowed';
  audit({ event: 'consent', result, ...by, scopes: decision.scopes ?? [] });
  if (decision.scopes === null) throw new RedirectedRefusal(request, 'access_denied', 'The passenger denied access.');
  return locationOf(request, { code });
}
