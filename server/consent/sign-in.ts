import type { ResultOf } from '../audit.ts';
import type { Passenger } from '../domain/passenger.ts';
import type { BrowserCookies } from '../http/browser.ts';
import { answerPage } from '../pages/answer.ts';
import type { Parts } from '../parts.ts';
import { passengerAccounts } from '../sign-in/accounts.ts';
import { ASK_AGAIN } from '../sign-in/ask-again.ts';
import { beginSession } from '../sign-in/begin-session.ts';
import type { PasswordCheck } from '../sign-in/password-check.ts';
import { textIn } from '../sign-in/sent-form.ts';
import { untilClosed } from '../sign-in/until-closed.ts';
import { goOn, type Step } from './step.ts';
import { answerTooMany } from './too-many.ts';
import { signInPage } from './views/sign-in.ts';

/** Signs a passenger in by email and password. Same message for a wrong email and a wrong password. */
export function signInStep(
  parts: Pick<Parts, 'store' | 'randomBytes' | 'refusedPassengers' | 'hasDemo'>,
  cookies: BrowserCookies,
  checkPassword: PasswordCheck<Passenger>,
): Step {
  const accounts = passengerAccounts(parts);
  return async (visit) => {
    const { visitor, request, res } = visit;
    const { application, query } = request;
    const email = textIn(visit.form, 'email').trim();
    const password = textIn(visit.form, 'password');
    const askAgain = (problem: string) => {
      const step = { applicationName: application.name, query, csrfToken: visitor.csrfToken() };
      const page = signInPage({ ...step, email, problem, hasDemo: parts.hasDemo });
      answerPage(res, page, ASK_AGAIN);
    };
    if (email === '' || password === '') return askAgain('Enter your email and password.');

    const tell = (result: ResultOf<'sign_in'>, passenger: string | null) =>
      visitor.audit({ event: 'sign_in', result, application: application.id, passenger });
    const checked = await checkPassword({ email, password, visitor, signal: untilClosed(res) });
    if ('waitSeconds' in checked) {
      tell('slowed_down', null);
      return answerTooMany(visit, checked.waitSeconds);
    }
    const isBegun =
      checked.account !== null && (await beginSession(parts, accounts, { cookies, res, visitor }, checked.account));
    tell(isBegun ? 'succeeded' : 'failed', checked.accountOf);
    if (!isBegun) return askAgain('Wrong email or password. Try again.');
    goOn(res, query);
  };
}
