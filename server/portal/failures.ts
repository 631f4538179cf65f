import type { ErrorRequestHandler } from 'express';
import { FAILURES, OPERATIONS } from '../../generated/server.ts';
import { Refusal } from '../domain/refusal.ts';
import { noteFailure } from '../http/call.ts';
import { refusalOf, UNAVAILABLE_RETRY_SECONDS } from '../http/failures.ts';
import { IN_PORTAL, PORTAL_PATHS } from '../links.ts';
import { answerPage } from '../pages/answer.ts';
import type { Parts } from '../parts.ts';
import { refusedPage } from '../sign-in/views/refused.ts';

/** The codes of all paths, and those of pages. */
const STATUSES: Readonly<Record<string, number>> = { ...FAILURES, ...OPERATIONS.authorizeApplication.failures };
/** By status. */
const TITLES: Readonly<Record<number, string>> = {
  404: 'Not found',
  405: 'This address does not take that',
  413: 'This form cannot be read',
  429: 'Too many tries',
  500: 'Something failed on our side',
  503: 'Not available at the moment',
};

/** Answers errors in the portal with a page. */
export function answerPortalFailures({ logger }: Pick<Parts, 'logger'>): ErrorRequestHandler {
  return (thrown, req, res, next) => {
    if (!IN_PORTAL.test(req.path) || isMisdirected(thrown) || res.headersSent || res.writableEnded) return next(thrown);
    const { code, description } = refusalOf(thrown, undefined, logger);
    noteFailure(req, code);
    const status = STATUSES[code] ?? 500;
    if (status === 503) res.set('Retry-After', String(UNAVAILABLE_RETRY_SECONDS));
    const page = refusedPage({
      title: TITLES[status] ?? 'This cannot be read',
      sentence: description,
      beginning: PORTAL_PATHS.overview,
      requestId: res.get('X-Request-Id'),
    });
    answerPage(res, page, status);
  };
}

/** Under the name of another host there are no pages: they would have neither style nor forms. */
function isMisdirected(thrown: unknown): boolean {
  return thrown instanceof Refusal && thrown.code === 'misdirected_request';
}
