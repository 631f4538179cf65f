import { type Request, type RequestHandler, Router } from 'express';
import type { BrowserCookies } from '../http/browser.ts';
import type { CallsInTurn } from '../http/calls-at-once.ts';
import { methodNotAllowed } from '../http/failures.ts';
import { answerPage } from '../pages/page.ts';
import { readForm } from './sent-form.ts';
import { refusedPage } from './views/refused.ts';

interface PathHandlers {
  readonly show?: RequestHandler;
  readonly submit?: RequestHandler | undefined;
}

/**
 * A router for pages and their forms. A form without a valid CSRF token is rejected, and other methods get 405.
 * @param beginningOf where the error page's "Start over" links to
 */
export function formRoutes(
  cookies: BrowserCookies,
  { outOfTurn }: Pick<CallsInTurn, 'outOfTurn'>,
  beginningOf: (req: Request) => string,
): { readonly router: Router; readonly add: (path: string, handlers: PathHandlers) => void } {
  const router = Router({ caseSensitive: true, strict: true });
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
  const add = (path: string, { show, submit }: PathHandlers) => {
    const route = router.route(path).all(neverStored);
    if (show) route.get(readCookies, show);
    if (submit) route.post(readCookies, outOfTurn(readForm), refuseForged, submit);
    route.all(methodNotAllowed([...(show ? ['GET', 'HEAD'] : []), ...(submit ? ['POST'] : [])]));
  };
  return { router, add };
}

/** Applies to redirects too: some set a session, and some carry an authorization request. */
const neverStored: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};
