import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { answerPage } from '../pages/answer.ts';
import { authorizePath, type Visit } from './step.ts';
import { refusedPage } from './views/refused.ts';

const MINUTE_SECONDS = MINUTE_MS / SECOND_MS;

/** Answers 429 (RFC 6585, section 4). */
export function answerTooMany({ request, res }: Pick<Visit, 'request' | 'res'>, waitSeconds: number): void {
  const minutes = Math.ceil(waitSeconds / MINUTE_SECONDS);
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  const page = refusedPage({
    title: 'Too many tries',
    sentence: `There were too many tries in a short time. Wait ${wait}, then try again.`,
    beginning: authorizePath(request.query),
  });
  res.set('Retry-After', String(waitSeconds));
  answerPage(res, page, 429);
}
