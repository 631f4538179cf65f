import type { Request, RequestHandler } from 'express';
import type { BrowserCookies } from '../http/browser.ts';
import { answerPage } from '../pages/answer.ts';
import { refusedPage } from './views/refused.ts';

/**
 * Guards for every form. One reads the cookies. The other rejects a form without a valid CSRF token.
 * @param beginningOf where the error page's "Start over" links to
 */
export function formGuards(
  cookies: BrowserCookies,
  beginningOf: (req: Request) => string,
): { readonly readCookies: RequestHandler; readonly refuseForged: RequestHandler } {
  const readCookies: RequestHandler = (req, _res, next) => {
    cookies.read(req);
    next();
  };
  const refuseForged: RequestHandler = (req, res, next) => {
    if (!cookies.isForged(req)) return next();
    const title = 'This form has expired';
    const sentence =
      'You opened it too long ago, you signed in or out in the meantime, or your browser blocks cookies. Nothing was changed.';
    answerPage(res, refusedPage({ title, sentence, beginning: beginningOf(req) }), 403);
  };
  return { readCookies, refuseForged };
}
