import type { Passenger } from '../domain/passenger.ts';
import type { BrowserCookies } from '../http/browser.ts';
import type { Parts } from '../parts.ts';
import { passengerAccounts } from '../sign-in/accounts.ts';
import type { PasswordCheck } from '../sign-in/password-check.ts';
import { endSession, signInForm } from '../sign-in/sign-in.ts';
import { authorizePath, type FormHandler, goOn, propsOf } from './step.ts';
import { signInPage } from './views/sign-in.ts';

export function signInStep(
  parts: Pick<Parts, 'store' | 'randomBytes' | 'refusedPassengers' | 'hasDemo'>,
  cookies: BrowserCookies,
  checkPassword: PasswordCheck<Passenger>,
): FormHandler {
  const signIn = signInForm(parts, passengerAccounts(parts), cookies, checkPassword);
  return async ({ visitor, form, res, request }) => {
    const { application, query } = request;
    const isSignedIn = await signIn({
      ...{ visitor, form, res, application: application.id, beginning: authorizePath(query) },
      pageWith: (typed) => signInPage({ ...propsOf(request, visitor), ...typed, hasDemo: parts.hasDemo }),
    });
    if (isSignedIn) goOn(res, query);
  };
}

export function signOutStep(parts: Pick<Parts, 'store' | 'refusedPassengers'>, cookies: BrowserCookies): FormHandler {
  const accounts = passengerAccounts(parts);
  return async ({ visitor, request, res }) => {
    await endSession(parts, accounts, visitor, request.application.id);
    cookies.endSession(res);
    goOn(res, request.query);
  };
}
