import { LIVE_WORLD } from '../domain/worlds/live.ts';
import type { BrowserCookies } from '../http/browser.ts';
import { isPassword } from '../oauth/passwords.ts';
import { answerPage } from '../pages/answer.ts';
import type { Parts } from '../parts.ts';
import { findPassengerByEmail } from '../store/passengers.ts';
import { beginSession } from './begin-session.ts';
import { textIn } from './sent-form.ts';
import { signInThrottle } from './sign-in-throttle.ts';
import { ASK_AGAIN, goOn, type Step } from './step.ts';
import { answerTooMany } from './too-many.ts';
import { signInPage } from './views/sign-in.ts';

/** Signs a passenger in by email and password. Same message for a wrong email and a wrong password. */
export function signInStep(
  parts: Pick<Parts, 'store' | 'now' | 'randomBytes' | 'rateLimitMultiplier' | 'refusedPassengers' | 'hasDemo'>,
  cookies: BrowserCookies,
): Step {
  const throttle = signInThrottle(parts.rateLimitMultiplier);
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
    const verdict = await throttle({ email, network: visitor.network });
    if ('waitSeconds' in verdict) return answerTooMany(visit, verdict.waitSeconds);
    const passenger = await findPassengerByEmail(parts.store.db, LIVE_WORLD.id, email);
    const isRight = await isPassword(password, passenger?.passwordHash);
    const isRefused = passenger === undefined || parts.refusedPassengers.has(passenger.id);
    if (isRefused || !isRight) return askAgain('The email or the password is not right.');
    await verdict.takeBack();
    await beginSession(parts, cookies, visit, passenger.id);
    goOn(res, query);
  };
}
