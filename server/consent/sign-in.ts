import { LIVE_WORLD } from '../domain/worlds/live.ts';
import type { BrowserCookies } from '../http/browser.ts';
import { isPassword } from '../oauth/passwords.ts';
import { answerPage } from '../pages/answer.ts';
import type { Parts } from '../parts.ts';
import { findPassengerByEmail } from '../store/passengers.ts';
import { beginSession } from './begin-session.ts';
import { textIn } from './sent-form.ts';
import { failedSignInThrottle, rightSignInThrottle } from './sign-in-throttle.ts';
import { ASK_AGAIN, goOn, type Step, untilClosed } from './step.ts';
import { answerTooMany } from './too-many.ts';
import { signInPage } from './views/sign-in.ts';

/** Signs a passenger in by email and password. Same message for a wrong email and a wrong password. */
export function signInStep(
  parts: Pick<Parts, 'store' | 'now' | 'randomBytes' | 'rateLimitMultiplier' | 'refusedPassengers' | 'hasDemo'>,
  cookies: BrowserCookies,
): Step {
  const countFailure = failedSignInThrottle(parts.rateLimitMultiplier);
  const countSuccess = rightSignInThrottle(parts.rateLimitMultiplier);
  return async (visit) => {
    const { visitor, request, res } = visit;
    const { application, query } = request;
    const typed = textIn(visit.form, 'email').trim();
    const password = textIn(visit.form, 'password');
    const askAgain = (problem: string) => {
      const step = { applicationName: application.name, query, csrfToken: visitor.csrfToken() };
      const page = signInPage({ ...step, email: typed, problem, hasDemo: parts.hasDemo });
      answerPage(res, page, ASK_AGAIN);
    };
    if (typed === '' || password === '') return askAgain('Enter your email and your password.');

    const email = typed.toLowerCase();
    const attempt = { email, network: visitor.network };
    const failure = countFailure(attempt);
    if ('waitSeconds' in failure) return answerTooMany(visit, failure.waitSeconds);
    const success = countSuccess(attempt);
    if ('waitSeconds' in success) {
      failure.takeBack();
      return answerTooMany(visit, success.waitSeconds);
    }
    const passenger = await findPassengerByEmail(parts.store.db, LIVE_WORLD.id, email);
    const isRight = await isPassword(password, passenger?.passwordHash, untilClosed(res)).catch((error: unknown) => {
      // nothing was tried
      failure.takeBack();
      success.takeBack();
      throw error;
    });
    const isRefused = passenger === undefined || parts.refusedPassengers.has(passenger.id);
    if (isRefused || !isRight) {
      success.takeBack();
      return askAgain('The email or the password is not right.');
    }
    failure.takeBack();
    await beginSession(parts, cookies, visit, passenger.id);
    goOn(res, query);
  };
}
