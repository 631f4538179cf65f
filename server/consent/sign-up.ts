import { liveId } from '../domain/ids.ts';
import type { Passenger } from '../domain/passenger.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import type { BrowserCookies } from '../http/browser.ts';
import { PATHS } from '../links.ts';
import { hashPassword } from '../oauth/passwords.ts';
import { answerPage } from '../pages/answer.ts';
import type { Page } from '../pages/layout.ts';
import type { Parts } from '../parts.ts';
import { insertPassengerIfAbsent } from '../store/passengers.ts';
import { beginSession } from './begin-session.ts';
import { textIn } from './sent-form.ts';
import { signUpThrottle } from './sign-in-throttle.ts';
import type { SignUp, SignUpProblems } from './sign-up-form.ts';
import { ASK_AGAIN, goOn, type Step, untilClosed, type Visit } from './step.ts';
import { answerTooMany } from './too-many.ts';
import { signUpPage } from './views/sign-up.ts';

/** Shows the empty form. */
export const showSignUp: Step = (visit) => answerPage(visit.res, formFor(visit, {}, {}));

/** Creates a passenger and signs them in. */
export function signUpStep(
  parts: Pick<Parts, 'store' | 'now' | 'randomBytes' | 'rateLimitMultiplier'>,
  cookies: BrowserCookies,
): Step {
  const throttle = signUpThrottle(parts.rateLimitMultiplier);
  return async (visit) => {
    const { visitor, request, form, res } = visit;
    const values = {
      first_name: textIn(form, 'first_name'),
      last_name: textIn(form, 'last_name'),
      email: textIn(form, 'email'),
      phone_number: textIn(form, 'phone_number'),
      password: textIn(form, 'password'),
    };
    const askAgain = (problems: SignUpProblems) => answerPage(res, formFor(visit, values, problems), ASK_AGAIN);

    // its packages take longer to load than most of the server, which seldom needs them
    const { readSignUp } = await import('./sign-up-form.ts');
    const read = readSignUp(values);
    if ('problems' in read) return askAgain(read.problems);
    const verdict = throttle({ network: visitor.network });
    if ('waitSeconds' in verdict) return answerTooMany(visit, verdict.waitSeconds);
    const passwordHash = await hashPassword(read.signUp.password, untilClosed(res)).catch((error: unknown) => {
      // nothing was created
      verdict.takeBack();
      throw error;
    });
    const passenger = newPassenger(parts, read.signUp, passwordHash);
    // unique index: of two concurrent sign-ups with one email, one succeeds
    const isNew = await insertPassengerIfAbsent(parts.store.db, passenger);
    if (!isNew)
      return askAgain({ email: 'There is an account with this email already. Sign in, or enter another one.' });
    await beginSession(parts, cookies, visit, passenger.id);
    goOn(res, request.query);
  };
}

function formFor({ visitor, request }: Visit, values: Partial<SignUp>, problems: SignUpProblems): Page {
  const { application, query } = request;
  return signUpPage({ applicationName: application.name, query, csrfToken: visitor.csrfToken(), values, problems });
}

/** A passenger who can ride at once: the card and the verified phone number are simulated, as the page says. */
function newPassenger(
  { now, randomBytes }: Pick<Parts, 'now' | 'randomBytes'>,
  signUp: SignUp,
  passwordHash: string,
): Passenger {
  const createdAt = now();
  const id = liveId(createdAt, randomBytes(16));
  return {
    worldId: LIVE_WORLD.id,
    id,
    email: signUp.email,
    passwordHash,
    firstName: signUp.first_name,
    lastName: signUp.last_name,
    imageUrl: PATHS.person(id),
    rating: null,
    phoneNumber: signUp.phone_number,
    phoneVerified: true,
    paymentMethod: 'Visa ending in 4242',
    accountDisabled: false,
    driverMode: false,
    businessProfile: false,
    hasTakenARide: false,
    createdAt,
  };
}
