import type { Response } from 'express';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { answerPage } from '../pages/answer.ts';
import { refusedPage } from './views/refused.ts';

const MINUTE_SECONDS = MINUTE_MS / SECOND_MS;

/** Returns 429 (RFC 6585, section 4). @param beginning where to try again */
export function answerWait(res: Response, waitSeconds: number, beginning: string): undefined {
  const page = refusedPage({
    title: 'Too many attempts',
    sentence: `You’ve made too many attempts. Wait ${waitInWords(waitSeconds)}, then try again.`,
    beginning,
    linkText: 'Try again',
  });
  res.set('Retry-After', String(waitSeconds));
  answerPage(res, page, 429);
}

export function waitInWords(seconds: number): string {
  if (seconds < MINUTE_SECONDS) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / MINUTE_SECONDS);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
