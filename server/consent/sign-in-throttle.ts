import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { hashOf } from '../oauth/secrets.ts';
import { type Limit, throttle } from './throttle.ts';

export interface SignInAttempt {
  /** In lower case. Its length is unbounded, so it is hashed before it is kept. */
  readonly email: string;
  /** An IPv4 address, or the network of an IPv6 address. */
  readonly network: string;
}

const QUARTER_HOUR_SECONDS = (15 * MINUTE_MS) / SECOND_MS;
const HOUR_SECONDS = HOUR_MS / SECOND_MS;

/** The network comes first: a throttled network cannot fill the memory with counts of new emails. */
const SIGN_IN_LIMITS: readonly Limit<SignInAttempt>[] = [
  { attempts: 100, windowSeconds: QUARTER_HOUR_SECONDS, keyOf: ({ network }) => network },
  {
    attempts: 10,
    windowSeconds: QUARTER_HOUR_SECONDS,
    keyOf: ({ email, network }) => JSON.stringify([hashOf(email), network]),
  },
  { attempts: 50, windowSeconds: HOUR_SECONDS, keyOf: ({ email }) => hashOf(email) },
];

const SIGN_UP_LIMITS: readonly Limit<Pick<SignInAttempt, 'network'>>[] = [
  { attempts: 20, windowSeconds: HOUR_SECONDS, keyOf: ({ network }) => network },
];

/** Slows down password guessing. Take the attempt back when a sign-in succeeds. */
export const signInThrottle = (multiplier: number) => throttle(SIGN_IN_LIMITS, multiplier);

/** Slows down mass sign-ups, and probing which emails have an account. */
export const signUpThrottle = (multiplier: number) => throttle(SIGN_UP_LIMITS, multiplier);
