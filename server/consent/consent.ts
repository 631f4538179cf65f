import type { Request, RequestHandler, Router } from 'express';
import {
  CONSENT_LIMITS,
  DEFAULT_SCOPES,
  type HandlersTagged,
  type RedirectError,
  SCOPE_SENTENCES,
} from '../../generated/server.ts';
import type { Passenger } from '../domain/passenger.ts';
import { Refusal } from '../domain/refusal.ts';
import { MINUTE_MS } from '../domain/time.ts';
import { browserCookies } from '../http/browser.ts';
import type { Contexts, Visitor } from '../http/caller.ts';
import type { CallsInTurn } from '../http/calls-at-once.ts';
import { CONSENT_PATHS } from '../links.ts';
import { hashOf, newToken } from '../oauth/secrets.ts';
import { ASK_AGAIN, answerPage, documentOf, type Page, pageHeaders } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import { type Accounts, passengerAccounts } from '../sign-in/accounts.ts';
import type { PasswordCheck } from '../sign-in/password-check.ts';
import { formRoutes, textIn, textsIn } from '../sign-in/sent-form.ts';
import { endSession, type SignedIn, signedIn, signInForm } from '../sign-in/session.ts';
import { noteConsent } from '../store/consents.ts';
import { saveDecision, takeDecision } from '../store/decisions.ts';
import { holdAccount } from '../store/passengers.ts';
import { deleteOldestCodes, insertCode } from '../store/tokens.ts';
import { type AuthorizationRequest, locationOf, readAuthorizationRequest, readQuery } from './authorization-request.ts';
import { signUpStep } from './sign-up.ts';
import { authorizePath, type FormHandler, goOn, propsOf } from './step.ts';
import { consentPage, leavingPage } from './views/consent.ts';
import { signInPage } from './views/sign-in.ts';

const CODE_TTL_MS = 10 * MINUTE_MS;
/** How long a saved decision is valid: the longest time between the button press and the redirect. */
const DECISION_TTL_MS = MINUTE_MS;

const DENIED = { error: 'access_denied' satisfies RedirectError, error_description: 'The passenger denied access.' };

export function consentHandlers(
  parts: Pick<Parts, 'store' | 'randomBytes' | 'refusedApplications' | 'refusedPassengers' | 'hasDemo' | 'publicUrl'>,
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
function askFor(
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
function isOptionalScope(scope: string): boolean {
  return !(DEFAULT_SCOPES as readonly string[]).includes(scope);
}

/** The redirect with a code or with the denial; null without a saved decision. */
async function takeOutcome(
  parts: Pick<Parts, 'store' | 'randomBytes' | 'publicUrl'>,
  request: AuthorizationRequest,
  { session }: Pick<SignedIn<Passenger>, 'session'>,
  { realNow, audit }: Visitor,
): Promise<string | null> {
  const code = newToken(parts.randomBytes);
  const decision = await parts.store.transaction(async (tx) => {
    // first, as in the deletion of the account
    if (!(await holdAccount(tx, session.accountId))) return null;
    const taken = await takeDecision(tx, session.tokenHash, hashOf(request.query));
    if (!taken || taken.decidedAt + DECISION_TTL_MS <= realNow) return null;
    if (taken.scopes === null) return taken;
    const who = { passengerId: session.accountId, applicationId: request.application.id };
    const { redirectUri, codeChallenge } = request;
    await insertCode(tx, {
      ...{ ...who, codeHash: hashOf(code), scopes: taken.scopes, redirectUri, codeChallenge },
      ...{ issuedAt: realNow, expiresAt: realNow + CODE_TTL_MS, usedAt: null },
    });
    await deleteOldestCodes(tx, who, CONSENT_LIMITS.consents);
    await noteConsent(tx, { ...who, at: realNow });
    return taken;
  });
  if (decision === null) return null;
  const by = { application: request.application.id, passenger: session.accountId };
  const result = decision.scopes === null ? 'denied' : 'allowed';
  audit({ event: 'consent', result, ...by, scopes: decision.scopes ?? [] });
  return locationOf(parts, request, decision.scopes === null ? DENIED : { code });
}

/** The forms before a consent. Each keeps the query of the authorization request, and redirects to the operation. */
export function consentRouter(
  parts: Parts,
  inTurn: Pick<CallsInTurn, 'readBody'>,
  checkPassword: PasswordCheck<Passenger>,
): Router {
  const accounts = passengerAccounts(parts);
  const cookies = browserCookies(parts, accounts.cookies);
  const { router, add } = formRoutes(cookies, inTurn, (req) => authorizePath(queryOf(req)));
  const take = (step: FormHandler): RequestHandler => {
    return async (req, res) => {
      const visitor = cookies.visitor(req, res);
      const request = await readAuthorizationRequest(parts, readQuery(req.originalUrl));
      await step({ visitor, request, form: req.body, res });
    };
  };
  const signInWith = signInForm(parts, accounts, cookies, checkPassword);
  const signIn: FormHandler = async ({ visitor, form, res, request }) => {
    const { application, query } = request;
    const isSignedIn = await signInWith({
      ...{ visitor, form, res, application: application.id, beginning: authorizePath(query) },
      pageWith: (typed) => signInPage({ ...propsOf(request, visitor), ...typed, hasDemo: parts.hasDemo }),
    });
    if (isSignedIn) goOn(res, query);
  };
  const signOut: FormHandler = async ({ visitor, request, res }) => {
    await endSession(parts, accounts, visitor, request.application.id);
    cookies.endSession(res);
    goOn(res, request.query);
  };
  const signUp = signUpStep(parts);
  add(CONSENT_PATHS.signIn, { show: beginAnew, submit: take(signIn) });
  add(CONSENT_PATHS.signUp, { show: take(signUp.show), submit: take(signUp.submit) });
  add(CONSENT_PATHS.signOut, { submit: take(signOut) });
  add(CONSENT_PATHS.consent, { show: beginAnew, submit: take(decideStep(parts, accounts)) });
  return router;
}

/** Saves the passenger's decision. authorizeApplication then sends it to the application. */
function decideStep(parts: Pick<Parts, 'store'>, accounts: Accounts<Passenger>): FormHandler {
  return async ({ visitor, request, form, res }) => {
    const decision = textIn(form, 'decision');
    const ticked = textsIn(form, 'scope');
    // the requested scopes without the optional ones that the passenger cleared
    const granted = request.scopes.filter((scope) => !isOptionalScope(scope) || ticked.includes(scope));
    if (decision !== 'allow' && decision !== 'deny') {
      throw new Refusal('bad_parameter', 'The form must either allow or deny access.');
    }
    const who = await signedIn(parts, accounts, visitor);
    if (who === null) return goOn(res, request.query);
    if (decision === 'allow' && granted.length === 0) {
      const problem = 'Select at least one item to allow, or choose Deny.';
      return answerPage(res, askFor(request, who, visitor, problem), ASK_AGAIN);
    }
    await saveDecision(parts.store.db, {
      sessionHash: who.session.tokenHash,
      requestHash: hashOf(request.query),
      scopes: decision === 'allow' ? granted : null,
      decidedAt: visitor.realNow,
    });
    answerPage(res, leavingPage(request, authorizePath(request.query)));
  };
}

/** Sends a GET of a form's path back to the operation. */
const beginAnew: RequestHandler = (req, res) => goOn(res, queryOf(req));

/** As received, without the question mark. */
function queryOf({ originalUrl }: Request): string {
  const at = originalUrl.indexOf('?');
  return at === -1 ? '' : originalUrl.slice(at + 1);
}
