import type { Request, Response } from 'express';
import { FAILURES, OPERATIONS } from '../../generated/server.ts';
import { own } from '../domain/own.ts';
import { Refusal } from '../domain/refusal.ts';
import { UNAVAILABLE_RETRY_SECONDS } from '../http/failures.ts';
import { noteFailure } from '../http/notes.ts';
import { answerPage } from '../pages/answer.ts';
import { type RefusedProps, refusedPage } from './views/refused.ts';

/** The codes of all paths and of pages. */
const STATUSES: Readonly<Record<string, number>> = { ...FAILURES, ...OPERATIONS.authorizeApplication.failures };
const TITLES: Readonly<Record<number, string>> = {
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'Temporarily unavailable',
};

/** Whether a page can show an error. Not for another host name: the page's styles and forms wouldn't work. */
export function canShow(thrown: unknown, res: Response): boolean {
  const isMisdirected = thrown instanceof Refusal && thrown.code === 'misdirected_request';
  return !(isMisdirected || res.headersSent || res.writableEnded);
}

/** Shows an error as a page. @param special what the page says instead */
export function answerFailure(
  req: Request,
  res: Response,
  { code, description }: Refusal,
  special: Partial<RefusedProps>,
): void {
  noteFailure(req, code);
  const status = own(STATUSES, code) ?? 500;
  if (status === 503) res.set('Retry-After', String(UNAVAILABLE_RETRY_SECONDS));
  const title = TITLES[status] ?? 'We couldn’t read this form';
  const requestId = res.get('X-Request-Id');
  answerPage(res, refusedPage({ title, sentence: description, requestId, ...special }), status);
}
