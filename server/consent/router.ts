import type { Request, RequestHandler, Router } from 'express';
import type { Passenger } from '../domain/passenger.ts';
import { browserCookies, PASSENGER_COOKIES } from '../http/browser.ts';
import type { CallsInTurn } from '../http/calls-at-once.ts';
import { CONSENT_PATHS } from '../links.ts';
import type { Parts } from '../parts.ts';
import { formRoutes } from '../sign-in/form-routes.ts';
import type { PasswordCheck } from '../sign-in/password-check.ts';
import { readAuthorizationRequest, readQuery } from './authorization-request.ts';
import { decideStep } from './decide.ts';
import { signInStep, signOutStep } from './sign-in.ts';
import { signUpStep } from './sign-up.ts';
import { authorizePath, type FormHandler, goOn } from './step.ts';

/** The forms before a consent. Each keeps the query of the authorization request, and redirects to the operation. */
export function consentRouter(
  parts: Pick<Parts, 'store' | 'now' | 'publicUrl' | 'randomBytes' | 'signingKeys' | 'logger' | 'throttles'> &
    Pick<Parts, 'rateLimitMultiplier' | 'refusedApplications' | 'refusedPassengers' | 'hasDemo'> &
    Pick<Parts, 'paymentProvider' | 'textMessages'>,
  inTurn: Pick<CallsInTurn, 'outOfTurn'>,
  checkPassword: PasswordCheck<Passenger>,
): Router {
  const cookies = browserCookies(parts, PASSENGER_COOKIES);
  const { router, add } = formRoutes(cookies, inTurn, (req) => authorizePath(queryOf(req)));
  const take = (step: FormHandler): RequestHandler => {
    return async (req, res) => {
      const visitor = cookies.visitor(req, res);
      const request = await readAuthorizationRequest(parts, readQuery(req.originalUrl));
      await step({ visitor, request, form: req.body, res });
    };
  };
  const signUp = signUpStep(parts);
  add(CONSENT_PATHS.signIn, { show: beginAnew, submit: take(signInStep(parts, cookies, checkPassword)) });
  add(CONSENT_PATHS.signUp, { show: take(signUp.show), submit: take(signUp.submit) });
  add(CONSENT_PATHS.signOut, { submit: take(signOutStep(parts, cookies)) });
  add(CONSENT_PATHS.consent, { show: beginAnew, submit: take(decideStep(parts)) });
  return router;
}

/** Sends a GET of a form's path back to the operation. */
const beginAnew: RequestHandler = (req, res) => goOn(res, queryOf(req));

/** As received, without the question mark. */
function queryOf({ originalUrl }: Request): string {
  const at = originalUrl.indexOf('?');
  return at === -1 ? '' : originalUrl.slice(at + 1);
}
