import { answerWait } from '../sign-in/answer-wait.ts';
import { authorizePath, type Visit } from './step.ts';

/** Returns 429 for a consent form. */
export function answerTooMany({ request, res }: Pick<Visit, 'request' | 'res'>, waitSeconds: number): void {
  answerWait(res, waitSeconds, authorizePath(request.query));
}
