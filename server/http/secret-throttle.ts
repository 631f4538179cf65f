import type { Request, Response } from 'express';
import { Refusal } from '../domain/refusal.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { networkOf } from './network.ts';
import { tellLimit } from './rate-limit.ts';
import { attemptsOf, type Limit, throttle } from './throttle.ts';

/**
 * Wrong client secrets from one network in a minute. A secret has 256 random bits, so this is about load, not about
 * guessing. The servers of many applications can share an address, and one of them can be set up wrongly.
 */
const FAILURES: Limit<string> = { attempts: 1000, windowSeconds: MINUTE_MS / SECOND_MS, keyOf: (network) => network };

/**
 * Counts a call with client credentials as failed until it is taken back. Throws Refusal `rate_limit_exceeded` for a
 * network with too many, also if its secret is right: it is not looked at.
 */
export function secretThrottle(multiplier: number) {
  const count = throttle([FAILURES], multiplier);
  return (req: Request, res: Response): { readonly takeBack: () => void } => {
    const verdict = count(networkOf(req.ip ?? ''));
    if (!('waitSeconds' in verdict)) return verdict;
    res.set('Retry-After', String(verdict.waitSeconds));
    const state = {
      remainingPoints: 0,
      msBeforeNext: verdict.waitSeconds * SECOND_MS,
    };
    tellLimit(res, { points: attemptsOf(FAILURES, multiplier), state });
    const reason = 'Too many calls with wrong client credentials came from your network';
    throw new Refusal('rate_limit_exceeded', `${reason}; try again in ${verdict.waitSeconds} s.`);
  };
}
