import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { hashOf } from '../oauth/secrets.ts';
import { type Limit, throttle } from './throttle.ts';

export interface SignInAttempt {
  /** In lower case; of any length, so it is hashed before it is kept. */
  readonly email: string;
  /** Where it comes from: an IPv4 address, or the network of an IPv6 one. */
  readonly network: string;
}

const QUARTER_HOUR_SECONDS = (15 * MINUTE_MS) / SECOND_MS;
const HOUR_SECONDS = HOUR_MS / SECOND_MS;

/** Addresses first: one that is held up cannot fill the memory with counts of ever new emails. */
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

/** Holds up who guesses passwords. A sign-in that succeeds is to be taken back. */
export const signInThrottle = (multiplier: number) => throttle(SIGN_IN_LIMITS, multiplier);

/** Holds up who makes accounts, or asks one email address after the other whether it has one. */
export const signUpThrottle = (multiplier: number) => throttle(SIGN_UP_LIMITS, multiplier);
