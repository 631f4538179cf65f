import type { Response } from 'express';
import { HOUR_SECONDS } from '../domain/time.ts';
import type { Visitor } from '../http/caller.ts';
import type { Networks } from '../http/network.ts';
import type { Limit } from '../limits/throttle.ts';
import { hashPassword } from '../oauth/passwords.ts';
import type { Parts } from '../parts.ts';
import type { AccountKind } from './accounts.ts';
import { answerWait } from './failure-page.ts';
import { untilClosed } from './password-check.ts';

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

interface SignUpAttempt {
  readonly visitor: Visitor;
  readonly res: Response;
  readonly password: string;
  readonly beginning: string;
  readonly onWait: () => void;
}

/**
 * Counts a sign-up and hashes its password, before its email is looked up: a taken one must take as long as a free one.
 * @returns null after too many sign-ups, when the response is already sent
 */
export function signUpHash(
  { throttles, rateLimitMultiplier }: Pick<Parts, 'throttles' | 'rateLimitMultiplier'>,
  kind: AccountKind,
): (attempt: SignUpAttempt) => Promise<string | null> {
  const count = throttles.throttle(`sign-ups:${kind}`, SIGN_UP_LIMITS, rateLimitMultiplier);
  return async ({ visitor: { networks }, res, password, beginning, onWait }) => {
    const verdict = await count(networks);
    if ('waitSeconds' in verdict) {
      answerWait(res, verdict.waitSeconds, beginning, onWait);
      return null;
    }
    return hashPassword(password, { flow: networks.wide, signal: untilClosed(res) }).catch((error: unknown) => {
      // nothing was created, so the attempt doesn't count
      verdict.takeBack();
      throw error;
    });
  };
}
