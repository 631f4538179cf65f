import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import type { Networks } from '../http/network.ts';
import type { Limit } from '../limits/throttle.ts';
import { hashOf } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import type { AccountKind } from './accounts.ts';

export interface SignInAttempt {
  /** In lower case. Hashed before it is stored, because its length is unbounded. */
  readonly email: string;
  readonly networks: Networks;
  /** Device token hash of a browser that this account has used before, otherwise null. */
  readonly deviceHash: string | null;
}

const QUARTER_HOUR_SECONDS = (15 * MINUTE_MS) / SECOND_MS;
const HOUR_SECONDS = HOUR_MS / SECOND_MS;

type Width = keyof Networks;
/** Only for unknown browsers: nobody can lock out a known one by using up the limit of its network or account. */
const ofStrangers =
  (keyOf: (attempt: SignInAttempt) => string | null) =>
  (attempt: SignInAttempt): string | null =>
    attempt.deviceHash === null ? keyOf(attempt) : null;
const byNetwork = (width: Width) => ofStrangers(({ networks }) => networks[width]);
const byEmailAndNetwork = (width: Width) =>
  ofStrangers(({ email, networks }) => networks[width] && JSON.stringify([hashOf(email), networks[width]]));

/**
 * Wrong sign-ins in unknown browsers: from a network, its /56, and its /48 or /24; with one email from each of these;
 * and with one email in a browser that has signed in with it. Networks come first, so a throttled network can't fill
 * memory with counters for new emails.
 * @beyond each further one waits, twice as long each time: a page with 429 and `Retry-After`
 * @heldBy tests/consent/throttle.test.ts
 */
const WRONG_SIGN_IN_LIMITS: readonly Limit<SignInAttempt>[] = [
  { attempts: 100, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: byNetwork('narrow') },
  { attempts: 200, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: byNetwork('middle') },
  { attempts: 400, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: byNetwork('wide') },
  { attempts: 5, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: byEmailAndNetwork('narrow') },
  { attempts: 10, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: byEmailAndNetwork('middle') },
  { attempts: 20, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: byEmailAndNetwork('wide') },
  {
    attempts: 5,
    windowSeconds: QUARTER_HOUR_SECONDS,
    keyOf: ({ email, deviceHash }) => deviceHash && JSON.stringify([hashOf(email), deviceHash]),
  },
];

/**
 * Wrong sign-ins with one email in unknown browsers of all networks.
 * @beyond each network waits separately before its next attempt is checked: a page with 429 and `Retry-After`
 * @heldBy tests/consent/throttle.test.ts
 */
const WRONG_EMAIL_LIMIT: Limit<SignInAttempt> = {
  attempts: 20,
  windowSeconds: QUARTER_HOUR_SECONDS,
  keyOf: ofStrangers(({ email }) => hashOf(email)),
};

/**
 * Successful sign-ins from a network in unknown browsers, and with one email from a network. Bounds the hashing work.
 * Far more than people need, even behind one address.
 * @beyond each further one waits, twice as long each time: a page with 429 and `Retry-After`
 * @heldBy tests/consent/throttle.test.ts
 */
const RIGHT_SIGN_IN_LIMITS: readonly Limit<SignInAttempt>[] = [
  { attempts: 1000, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: byNetwork('narrow') },
  {
    attempts: 100,
    windowSeconds: QUARTER_HOUR_SECONDS,
    keyOf: ({ email, networks }) => JSON.stringify([hashOf(email), networks.narrow]),
  },
];

/**
 * Sign-ups, successful or not, from a network, its /56, and its /48 or /24.
 * @beyond a page with 429 and `Retry-After`
 * @heldBy tests/consent/throttle.test.ts
 */
const SIGN_UP_LIMITS: readonly Limit<Networks>[] = [
  { attempts: 20, windowSeconds: HOUR_SECONDS, keyOf: ({ narrow }) => narrow },
  { attempts: 40, windowSeconds: HOUR_SECONDS, keyOf: ({ middle }) => middle },
  { attempts: 80, windowSeconds: HOUR_SECONDS, keyOf: ({ wide }) => wide },
];

type ThrottleParts = Pick<Parts, 'throttles' | 'rateLimitMultiplier'>;

/** Slows down password guessing. Take the attempt back if the password is right. */
export const wrongSignInThrottle = ({ throttles, rateLimitMultiplier }: ThrottleParts, kind: AccountKind) =>
  throttles.slowDown(
    `wrong-sign-ins:${kind}`,
    {
      paces: WRONG_SIGN_IN_LIMITS,
      shared: {
        ...WRONG_EMAIL_LIMIT,
        callerOf: ({ email, networks }) => JSON.stringify([hashOf(email), networks.narrow]),
      },
    },
    rateLimitMultiplier,
  );

/** Slows down repeated successful sign-ins. Take the attempt back if the sign-in fails: another limit counts it. */
export const rightSignInThrottle = ({ throttles, rateLimitMultiplier }: ThrottleParts, kind: AccountKind) =>
  throttles.slowDown(`right-sign-ins:${kind}`, { paces: RIGHT_SIGN_IN_LIMITS }, rateLimitMultiplier);

/** Slows down mass sign-ups and probing for existing accounts. */
export const signUpThrottle = ({ throttles, rateLimitMultiplier }: ThrottleParts, kind: AccountKind) =>
  throttles.throttle(`sign-ups:${kind}`, SIGN_UP_LIMITS, rateLimitMultiplier);
