import type { ResultOf } from '../audit.ts';
import type { BrowserCookies } from '../http/browser.ts';
import { answerPage } from '../pages/answer.ts';
import type { Parts } from '../parts.ts';
import { beginSession } from './begin-session.ts';
import type { PasswordCheck } from './password-check.ts';
import { textIn } from './sent-form.ts';
import { ASK_AGAIN, goOn, type Step, untilClosed } from './step.ts';
import { answerTooMany } from './too-many.ts';
import { signInPage } from './views/sign-in.ts';

/** Signs a passenger in by email and password. Same message for a wrong email and a wrong password. */
export function signInStep(
  parts: Pick<Parts, 'store' | 'randomBytes' | 'hasDemo'>,
  cookies: BrowserCookies,
  checkPassword: PasswordCheck,
): Step {
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
    if (email === '' || password === '') return askAgain('Enter your email and your password.');

    const tell = (result: ResultOf<'sign_in'>, passenger: string | null) =>
      visitor.audit({ event: 'sign_in', result, application: application.id, passenger });
    const checked = await checkPassword({ email, password, visitor, signal: untilClosed(res) });
    if ('waitSeconds' in checked) {
      tell('slowed_down', null);
      return answerTooMany(visit, checked.waitSeconds);
    }
    const isBegun = checked.passenger !== null && (await beginSession(parts, cookies, visit, checked.passenger));
    tell(isBegun ? 'succeeded' : 'failed', checked.accountOf);
    if (!isBegun) return askAgain('The email or the password is not right.');
    goOn(res, query);
  };
}
