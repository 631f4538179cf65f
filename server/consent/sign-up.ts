import type { ResultOf } from '../audit.ts';
import { liveId } from '../domain/ids.ts';
import { type GivenAtSignUp, givenAtSignUp } from '../domain/new-account.ts';
import type { Passenger } from '../domain/passenger.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { PATHS } from '../links.ts';
import { hashPassword } from '../oauth/passwords.ts';
import { ASK_AGAIN, answerPage } from '../pages/answer.ts';
import type { Page } from '../pages/layout.ts';
import type { Parts } from '../parts.ts';
import { answerWait } from '../sign-in/answer-wait.ts';
import { textIn } from '../sign-in/sent-form.ts';
import { signUpThrottle } from '../sign-in/sign-in-throttle.ts';
import { untilClosed } from '../sign-in/until-closed.ts';
import type { Problems } from '../sign-in/views/form.ts';
import { insertPassengerIfAbsent } from '../store/passengers.ts';
import type { SignUp } from './sign-up-form.ts';
import { authorizePath, type FormHandler, type Visit } from './step.ts';
import { signInPage } from './views/sign-in.ts';
import { signUpPage } from './views/sign-up.ts';

type CheckParts = Pick<Parts, 'paymentProvider' | 'textMessages'>;

/** Shows the empty form. */
export function showSignUp({ paymentProvider, textMessages }: CheckParts): FormHandler {
  const given = givenAtSignUp(paymentProvider, textMessages);
  return (visit) => answerPage(visit.res, formFor(visit, given, {}, {}));
}

/**
 * Creates a passenger and asks them to sign in. A taken email gets the same response in the same time, because the
 * password is hashed first. The existing account stays unchanged.
 */
export function signUpStep(
  parts: CheckParts & Pick<Parts, 'store' | 'now' | 'randomBytes' | 'throttles' | 'rateLimitMultiplier' | 'hasDemo'>,
): FormHandler {
  const given = givenAtSignUp(parts.paymentProvider, parts.textMessages);
  const count = signUpThrottle(parts, 'passengers');
  return async (visit) => {
    const { visitor, request, form, res } = visit;
    const values = {
      first_name: textIn(form, 'first_name'),
      last_name: textIn(form, 'last_name'),
      email: textIn(form, 'email'),
      phone_number: textIn(form, 'phone_number'),
      password: textIn(form, 'password'),
    };

    // imported on demand: the packages load slowly and are rarely needed
    const { readSignUp } = await import('./sign-up-form.ts');
    const read = readSignUp(values);
    if ('problems' in read) return answerPage(res, formFor(visit, given, values, read.problems), ASK_AGAIN);
    const { signUp } = read;
    const { networks } = visitor;
    const { application, query } = request;
    const tell = (result: ResultOf<'sign_up'>, passenger: string | null) =>
      visitor.audit({ event: 'sign_up', result, application: application.id, passenger });
    const verdict = await count(networks);
    if ('waitSeconds' in verdict) {
      tell('slowed_down', null);
      return answerWait(res, verdict.waitSeconds, authorizePath(query));
    }
    const asking = { flow: networks.wide, signal: untilClosed(res) };
    const passwordHash = await hashPassword(signUp.password, asking).catch((error: unknown) => {
      // nothing was created, so the attempt doesn't count
      verdict.takeBack();
      throw error;
    });
    // the unique index lets only one of two concurrent sign-ups with an email succeed
    const passenger = newPassenger(parts, signUp, passwordHash, given);
    const isNew = await insertPassengerIfAbsent(parts.store.db, passenger);
    if (isNew) tell('succeeded', passenger.id);
    else tell('email_taken', null);
    const step = { applicationName: application.name, query, csrfToken: visitor.csrfToken() };
    answerPage(res, signInPage({ ...step, email: signUp.email, hasSignedUp: true, hasDemo: parts.hasDemo }));
  };
}

function formFor({ visitor, request }: Visit, given: GivenAtSignUp, values: Partial<SignUp>, problems: Problems): Page {
  const step = { applicationName: request.application.name, query: request.query, csrfToken: visitor.csrfToken() };
  return signUpPage({ ...step, given, values, problems });
}

function newPassenger(
  { now, randomBytes }: Pick<Parts, 'now' | 'randomBytes'>,
  signUp: SignUp,
  passwordHash: string,
  { paymentMethod, phoneVerified }: GivenAtSignUp,
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
    phoneVerified,
    paymentMethod,
    accountDisabled: false,
    driverMode: false,
    businessProfile: false,
    hasTakenARide: false,
    createdAt,
  };
}
