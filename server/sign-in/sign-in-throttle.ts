import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import type { Networks } from '../http/network.ts';
import type { Limit } from '../http/throttle.ts';
import { hashOf } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import type { AccountKind } from './accounts.ts';

export interface SignInAttempt {
  /** In lower case. Its length is unbounded, so it is hashed before it is kept. */
  readonly email: string;
  readonly networks: Networks;
  /** Hash of the token of a browser that this account signed in with before; null for any other. */
  readonly deviceHash: string | null;
}

const QUARTER_HOUR_SECONDS = (15 * MINUTE_MS) / SECOND_MS;
const HOUR_SECONDS = HOUR_MS / SECOND_MS;

type Width = keyof Networks;
/** A known browser is slowed down for itself alone: neither its network nor its account can be used up by others. */
const ofStrangers =
  (keyOf: (attempt: SignInAttempt) => string | null) =>
  (attempt: SignInAttempt): string | null =>
    attempt.deviceHash === null ? keyOf(attempt) : null;
const byNetwork = (width: Width) => ofStrangers(({ networks }) => networks[width]);
const byEmailAndNetwork = (width: Width) =>
  ofStrangers(({ email, networks }) => networks[width] && JSON.stringify([hashOf(email), networks[width]]));

/** The networks come first: one that has to wait cannot fill the memory with counts of new emails. */
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

/** From all networks. */
const WRONG_EMAIL_LIMIT: Limit<SignInAttempt> = {
  attempts: 20,
  windowSeconds: QUARTER_HOUR_SECONDS,
  keyOf: ofStrangers(({ email }) => hashOf(email)),
};

/** Far more than people need, even behind one address. What they bound is the work of hashing. */
const RIGHT_SIGN_IN_LIMITS: readonly Limit<SignInAttempt>[] = [
  { attempts: 1000, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: byNetwork('narrow') },
  {
    attempts: 100,
    windowSeconds: QUARTER_HOUR_SECONDS,
    keyOf: ({ email, networks }) => JSON.stringify([hashOf(email), networks.narrow]),
  },
];

const SIGN_UP_LIMITS: readonly Limit<Networks>[] = [
  { attempts: 20, windowSeconds: HOUR_SECONDS, keyOf: ({ narrow }) => narrow },
  { attempts: 40, windowSeconds: HOUR_SECONDS, keyOf: ({ middle }) => middle },
  { attempts: 80, windowSeconds: HOUR_SECONDS, keyOf: ({ wide }) => wide },
];

type ThrottleParts = Pick<Parts, 'throttles' | 'rateLimitMultiplier'>;

/** Slows down password guessing. Take the attempt back when the password is right. */
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

/** Slows down who signs in again and again. Take the attempt back when a sign-in fails: another limit counts it. */
export const rightSignInThrottle = ({ throttles, rateLimitMultiplier }: ThrottleParts, kind: AccountKind) =>
  throttles.slowDown(`right-sign-ins:${kind}`, { paces: RIGHT_SIGN_IN_LIMITS }, rateLimitMultiplier);

/** Slows down mass sign-ups, and probing which emails have an account. */
export const signUpThrottle = ({ throttles, rateLimitMultiplier }: ThrottleParts, kind: AccountKind) =>
  throttles.throttle(`sign-ups:${kind}`, SIGN_UP_LIMITS, rateLimitMultiplier);
