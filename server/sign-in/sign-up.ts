import type { Response } from 'express';
import type { Visitor } from '../http/caller.ts';
import { hashPassword } from '../oauth/passwords.ts';
import type { AccountKind } from './accounts.ts';
import { answerWait } from './answer-wait.ts';
import { untilClosed } from './password-check.ts';
import { signUpThrottle } from './sign-in-throttle.ts';

interface Attempt {
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
  parts: Parameters<typeof signUpThrottle>[0],
  kind: AccountKind,
): (attempt: Attempt) => Promise<string | null> {
  const count = signUpThrottle(parts, kind);
  return async ({ visitor: { networks }, res, password, beginning, onWait }) => {
    const verdict = await count(networks);
    if ('waitSeconds' in verdict) {
      onWait();
      answerWait(res, verdict.waitSeconds, beginning);
      return null;
    }
    return hashPassword(password, { flow: networks.wide, signal: untilClosed(res) }).catch((error: unknown) => {
      // nothing was created, so the attempt doesn't count
      verdict.takeBack();
      throw error;
    });
  };
}
