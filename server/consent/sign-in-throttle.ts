import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { type Limit, throttle } from '../http/throttle.ts';
import { hashOf } from '../oauth/secrets.ts';

export interface SignInAttempt {
  /** In lower case. Its length is unbounded, so it is hashed before it is kept. */
  readonly email: string;
  /** An IPv4 address, or the network of an IPv6 address. */
  readonly network: string;
}

const QUARTER_HOUR_SECONDS = (15 * MINUTE_MS) / SECOND_MS;
const HOUR_SECONDS = HOUR_MS / SECOND_MS;

/** The network comes first: a throttled network cannot fill the memory with counts of new emails. */
const FAILED_SIGN_IN_LIMITS: readonly Limit<SignInAttempt>[] = [
  { attempts: 100, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: ({ network }) => network },
  {
    attempts: 10,
    windowSeconds: QUARTER_HOUR_SECONDS,
    keyOf: ({ email, network }) => JSON.stringify([hashOf(email), network]),
  },
  { attempts: 50, windowSeconds: HOUR_SECONDS, keyOf: ({ email }) => hashOf(email) },
];

/** Far more than people need, even behind one address. What they bound is the work of hashing. */
const RIGHT_SIGN_IN_LIMITS: readonly Limit<SignInAttempt>[] = [
  { attempts: 1000, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: ({ network }) => network },
  {
    attempts: 100,
    windowSeconds: QUARTER_HOUR_SECONDS,
    keyOf: ({ email, network }) => JSON.stringify([hashOf(email), network]),
  },
];

const SIGN_UP_LIMITS: readonly Limit<Pick<SignInAttempt, 'network'>>[] = [
  { attempts: 20, windowSeconds: HOUR_SECONDS, keyOf: ({ network }) => network },
];

/** Slows down password guessing. Take the attempt back when a sign-in succeeds. */
export const failedSignInThrottle = (multiplier: number) => throttle(FAILED_SIGN_IN_LIMITS, multiplier);

/** Slows down who signs in again and again. Take the attempt back when a sign-in fails: another limit counts it. */
export const rightSignInThrottle = (multiplier: number) => throttle(RIGHT_SIGN_IN_LIMITS, multiplier);

/** Slows down mass sign-ups, and probing which emails have an account. */
export const signUpThrottle = (multiplier: number) => throttle(SIGN_UP_LIMITS, multiplier);
