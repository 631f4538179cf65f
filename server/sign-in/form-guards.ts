import type { Request, RequestHandler } from 'express';
import type { BrowserCookies } from '../http/browser.ts';
import { answerPage } from '../pages/answer.ts';
import { refusedPage } from './views/refused.ts';

/**
 * The guards of every form: one reads the cookies, and one refuses a form without its CSRF token.
 * @param beginningOf where the refusal's page leads, to begin again
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
    const title = 'This form is too old';
    const sentence =
      'It was opened too long ago, or before you signed in or out, or the browser keeps no cookies. Nothing was changed.';
    answerPage(res, refusedPage({ title, sentence, beginning: beginningOf(req) }), 403);
  };
  return { readCookies, refuseForged };
}
