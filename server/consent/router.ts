import { type Request, type RequestHandler, Router } from 'express';
import type { Passenger } from '../domain/passenger.ts';
import { browserCookies, PASSENGER_COOKIES } from '../http/browser.ts';
import type { CallsInTurn } from '../http/calls-at-once.ts';
import { methodNotAllowed } from '../http/failures.ts';
import { CONSENT_PATHS } from '../links.ts';
import type { Parts } from '../parts.ts';
import { formGuards } from '../sign-in/form-guards.ts';
import type { PasswordCheck } from '../sign-in/password-check.ts';
import { readForm } from '../sign-in/sent-form.ts';
import { readAuthorizationRequest, readQuery } from './authorization-request.ts';
import { decideStep } from './decide.ts';
import { signInStep } from './sign-in.ts';
import { signOutStep } from './sign-out.ts';
import { showSignUp, signUpStep } from './sign-up.ts';
import { authorizePath, goOn, type Step } from './step.ts';

/**
 * The forms before a consent. Each keeps the authorization request's query and redirects to the operation on success.
 * Other methods get 405.
 */
export function consentRouter(
  parts: Parts,
  { outOfTurn }: Pick<CallsInTurn, 'outOfTurn'>,
  checkPassword: PasswordCheck<Passenger>,
): Router {
  const cookies = browserCookies(parts, PASSENGER_COOKIES);
  const router = Router({ caseSensitive: true, strict: true });

  const { readCookies, refuseForged } = formGuards(cookies, (req) => authorizePath(queryOf(req)));
  const take = (step: Step): RequestHandler => {
    return async (req, res) => {
      const visitor = cookies.visitor(req, res);
      const request = await readAuthorizationRequest(parts, readQuery(req.originalUrl));
      await step({ visitor, request, form: req.body, res });
    };
  };
  const post = (path: string, step: Step) =>
    router.post(path, readCookies, outOfTurn(readForm), refuseForged, take(step));

  router.all(Object.values(CONSENT_PATHS), neverStored);
  for (const path of [CONSENT_PATHS.signIn, CONSENT_PATHS.consent]) router.get(path, beginAnew);
  router.get(CONSENT_PATHS.signUp, readCookies, take(showSignUp(parts)));
  post(CONSENT_PATHS.signIn, signInStep(parts, cookies, checkPassword));
  post(CONSENT_PATHS.signUp, signUpStep(parts));
  post(CONSENT_PATHS.signOut, signOutStep(parts, cookies));
  post(CONSENT_PATHS.consent, decideStep(parts));
  for (const path of Object.values(CONSENT_PATHS)) {
    router.route(path).all(methodNotAllowed(path === CONSENT_PATHS.signOut ? ['POST'] : ['GET', 'HEAD', 'POST']));
  }
  return router;
}

/** Applies to redirects too: some set a session, and all carry the authorization request. */
const neverStored: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};

/** Sends a GET of a form's path back to the operation. */
const beginAnew: RequestHandler = (req, res) => goOn(res, queryOf(req));

/** As received, without the question mark. */
function queryOf({ originalUrl }: Request): string {
  const at = originalUrl.indexOf('?');
  return at === -1 ? '' : originalUrl.slice(at + 1);
}
