import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import type { Networks } from '../http/network.ts';
import { slowDown } from '../http/slow-down.ts';
import { type Limit, throttle } from '../http/throttle.ts';
import { hashOf } from '../oauth/secrets.ts';

export interface SignInAttempt {
  /** In lower case. Its length is unbounded, so it is hashed before it is kept. */
  readonly email: string;
  readonly networks: Networks;
  /** Hash of the token of a browser that this passenger signed in with before; null for any other. */
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

/** Slows down password guessing. Take the attempt back when the password is right. */
export const wrongSignInThrottle = (multiplier: number) =>
  slowDown(
    {
      paces: WRONG_SIGN_IN_LIMITS,
      shared: {
        ...WRONG_EMAIL_LIMIT,
        callerOf: ({ email, networks }) => JSON.stringify([hashOf(email), networks.narrow]),
      },
    },
    multiplier,
  );

/** Slows down who signs in again and again. Take the attempt back when a sign-in fails: another limit counts it. */
export const rightSignInThrottle = (multiplier: number) => slowDown({ paces: RIGHT_SIGN_IN_LIMITS }, multiplier);

/** Slows down mass sign-ups, and probing which emails have an account. */
export const signUpThrottle = (multiplier: number) => throttle(SIGN_UP_LIMITS, multiplier);
