import type { ResultOf } from '../audit.ts';
import { liveId } from '../domain/ids.ts';
import { type GivenAtSignUp, givenAtSignUp } from '../domain/new-account.ts';
import { NEW_FLAGS, type Passenger } from '../domain/passenger.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { PATHS } from '../links.ts';
import { ASK_AGAIN, answerPage, type Page } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import { textIn } from '../sign-in/sent-form.ts';
import { signUpHash } from '../sign-in/sign-up-hash.ts';
import type { Problems } from '../sign-in/views/form.ts';
import { insertPassengerIfAbsent } from '../store/passengers.ts';
import type { SignUp } from './sign-up-form.ts';
import { authorizePath, type FormHandler, propsOf, type Visit } from './step.ts';
import { signInPage, signUpPage } from './views/sign-in.ts';

type SignUpParts = Pick<Parts, 'paymentProvider' | 'textMessages' | 'store' | 'now' | 'randomBytes'> &
  Pick<Parts, 'throttles' | 'rateLimitMultiplier' | 'hasDemo'>;

/** The form, and what it does: it creates a passenger and asks them to sign in. An existing account stays unchanged. */
export function signUpStep(parts: SignUpParts): { readonly show: FormHandler; readonly submit: FormHandler } {
  const given = givenAtSignUp(parts.paymentProvider, parts.textMessages);
  const hashOfNew = signUpHash(parts, 'passengers');
  const submit: FormHandler = async (visit) => {
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
    const { application, query } = request;
    const tell = (result: ResultOf<'sign_up'>, passenger: string | null) =>
      visitor.audit({ event: 'sign_up', result, application: application.id, passenger });
    const asking = { visitor, res, beginning: authorizePath(query), onWait: () => tell('slowed_down', null) };
    const passwordHash = await hashOfNew({ ...asking, password: signUp.password });
    if (passwordHash === null) return;
    // the unique index lets only one of two concurrent sign-ups with an email succeed
    const passenger = newPassenger(parts, signUp, passwordHash, given);
    const isNew = await insertPassengerIfAbsent(parts.store.db, passenger);
    if (isNew) tell('succeeded', passenger.id);
    else tell('email_taken', null);
    const page = { ...propsOf(request, visitor), email: signUp.email, hasSignedUp: true };
    answerPage(res, signInPage({ ...page, hasDemo: parts.hasDemo }));
  };
  return { show: (visit) => answerPage(visit.res, formFor(visit, given, {}, {})), submit };
}

function formFor({ visitor, request }: Visit, given: GivenAtSignUp, values: Partial<SignUp>, problems: Problems): Page {
  return signUpPage({ ...propsOf(request, visitor), given, values, problems });
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
    ...NEW_FLAGS,
    createdAt,
  };
}
