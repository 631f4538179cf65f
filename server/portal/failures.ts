import type { ErrorRequestHandler } from 'express';
import { own } from '../domain/own.ts';
import { refusalOf } from '../http/failures.ts';
import { IN_PORTAL, PORTAL_PATHS } from '../links.ts';
import type { Parts } from '../parts.ts';
import { answerFailure, canShow } from '../sign-in/failure-page.ts';

const TITLES: Readonly<Record<string, string>> = {
  not_found: 'Not found',
  method_not_allowed: 'Method not allowed',
  payload_too_large: 'This form is too large',
};

export function answerPortalFailures({ logger }: Pick<Parts, 'logger'>): ErrorRequestHandler {
  return (thrown, req, res, next) => {
    if (!IN_PORTAL.test(req.path) || !canShow(thrown, res)) return next(thrown);
    const refusal = refusalOf(thrown, undefined, logger);
    const title = own(TITLES, refusal.code);
    const way = { beginning: PORTAL_PATHS.overview, linkText: 'Go to your apps' };
    answerFailure(req, res, refusal, { ...way, ...(title !== undefined && { title }) });
  };
}
