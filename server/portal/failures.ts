import type { ErrorRequestHandler } from 'express';
import { FAILURES, OPERATIONS } from '../../generated/server.ts';
import { own } from '../domain/own.ts';
import { Refusal } from '../domain/refusal.ts';
import { noteFailure } from '../http/call.ts';
import { refusalOf, UNAVAILABLE_RETRY_SECONDS } from '../http/failures.ts';
import { IN_PORTAL, PORTAL_PATHS } from '../links.ts';
import { answerPage } from '../pages/answer.ts';
import type { Parts } from '../parts.ts';
import { refusedPage } from '../sign-in/views/refused.ts';

/** The codes of all paths and of pages. */
const STATUSES: Readonly<Record<string, number>> = { ...FAILURES, ...OPERATIONS.authorizeApplication.failures };
/** By status. */
const TITLES: Readonly<Record<number, string>> = {
  404: 'Not found',
  405: 'Method not allowed',
  413: 'This form is too large',
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'Temporarily unavailable',
};

/** Returns portal errors as pages. */
export function answerPortalFailures({ logger }: Pick<Parts, 'logger'>): ErrorRequestHandler {
  return (thrown, req, res, next) => {
    if (!IN_PORTAL.test(req.path) || isMisdirected(thrown) || res.headersSent || res.writableEnded) return next(thrown);
    const { code, description } = refusalOf(thrown, undefined, logger);
    noteFailure(req, code);
    const status = own(STATUSES, code) ?? 500;
    if (status === 503) res.set('Retry-After', String(UNAVAILABLE_RETRY_SECONDS));
    const page = refusedPage({
      title: TITLES[status] ?? 'We couldn’t read this form',
      sentence: description,
      beginning: PORTAL_PATHS.overview,
      linkText: 'Go to your apps',
      requestId: res.get('X-Request-Id'),
    });
    answerPage(res, page, status);
  };
}

/** No page for another host name: its styles and forms wouldn't work. */
function isMisdirected(thrown: unknown): boolean {
  return thrown instanceof Refusal && thrown.code === 'misdirected_request';
}
