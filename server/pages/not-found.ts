import type { Request, RequestHandler } from 'express';
import { OPERATIONS } from '../../generated/server.ts';
import { answerNotFound } from './answer.ts';
import { html } from './html.ts';

/** The first segments of the contract's paths: a request to one of them is for the API. */
const API_ROOTS = new Set(Object.values(OPERATIONS).map(({ path }) => path.split('/')[1]));

/** Answers a browser with a page. Other clients get the failure body of the next handler. */
export const pageNotFound: RequestHandler = (req, res, next) => {
  res.vary('Accept');
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  if (!isRead || API_ROOTS.has(req.path.split('/')[1]) || !isPerson(req)) return next();
  answerNotFound(
    res,
    html`There is nothing at this address.`,
    html`<p>The <a href="/">start page</a> leads to everything that there is.</p>`,
  );
};

/** Whether a request prefers a page. One that does not name a text does not. */
function isPerson(req: Request): boolean {
  return /text/i.test(req.headers.accept ?? '') && req.accepts(['json', 'html']) === 'html';
}
