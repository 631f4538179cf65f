import type { Request, RequestHandler, Router } from 'express';
import type { Passenger } from '../domain/passenger.ts';
import { Refusal } from '../domain/refusal.ts';
import { browserCookies } from '../http/browser.ts';
import type { CallsInTurn } from '../http/calls-at-once.ts';
import { CONSENT_PATHS } from '../links.ts';
import { hashOf } from '../oauth/secrets.ts';
import { ASK_AGAIN, answerPage } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import { type Accounts, passengerAccounts } from '../sign-in/accounts.ts';
import { formRoutes } from '../sign-in/form-routes.ts';
import type { PasswordCheck } from '../sign-in/password-check.ts';
import { textIn, textsIn } from '../sign-in/sent-form.ts';
import { signedIn } from '../sign-in/session.ts';
import { endSession, signInForm } from '../sign-in/sign-in.ts';
import { saveDecision } from '../store/decisions.ts';
import { readAuthorizationRequest, readQuery } from './authorization-request.ts';
import { askFor, isOptionalScope } from './operation.ts';
import { signUpStep } from './sign-up.ts';
import { authorizePath, type FormHandler, goOn, propsOf } from './step.ts';
import { leavingPage } from './views/consent.ts';
import { signInPage } from './views/sign-in.ts';

/** The forms before a consent. Each keeps the query of the authorization request, and redirects to the operation. */
export function consentRouter(
  parts: Parts,
  inTurn: Pick<CallsInTurn, 'outOfTurn'>,
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
