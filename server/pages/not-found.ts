import type { Request, RequestHandler } from 'express';
import { OPERATIONS } from '../../generated/server.ts';
import { answerNotFound, html } from './page.ts';

/** The first segments of the contract's paths, which identify API requests. */
const API_ROOTS = new Set(Object.values(OPERATIONS).map(({ path }) => path.split('/')[1]));

/** Returns a page to browsers. Other clients get the error body from the next handler. */
export const pageNotFound: RequestHandler = (req, res, next) => {
  res.vary('Accept');
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  if (!isRead || API_ROOTS.has(req.path.split('/')[1]) || !isPerson(req)) return next();
  answerNotFound(res, html`This page doesn’t exist.`, html`<p><a href="/">Go to the home page</a></p>`);
};

/** Whether a request prefers HTML. A wildcard that accepts any type doesn't count. */
function isPerson(req: Request): boolean {
  return /text/i.test(req.headers.accept ?? '') && req.accepts(['json', 'html']) === 'html';
}
