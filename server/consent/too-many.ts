import { answerWait } from '../sign-in/answer-wait.ts';
import { authorizePath, type Visit } from './step.ts';

/** Answers 429 on the way to a consent. */
export function answerTooMany({ request, res }: Pick<Visit, 'request' | 'res'>, waitSeconds: number): void {
  answerWait(res, waitSeconds, authorizePath(request.query));
}
