import type { RequestHandler, Response } from 'express';
import { Refusal } from '../domain/refusal.ts';
import type { Html } from './html.ts';
import { documentOf, type Page } from './layout.ts';

const DAY_SECONDS = 24 * 60 * 60;

// no upgrade-insecure-requests: a development server uses plain http, also for a phone on the same network
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** This site, an origin or a scheme: a source that cannot end its directive and begin another. */
const FORM_TARGET = /^('self'|[a-z][a-z\d+.-]*:(\/\/[a-z\d.-]+(:\d+)?)?)$/;

// an SVG opened by itself is a document too
const PICTURE_POLICY = "default-src 'none'";

export function answerPage(res: Response, page: Page, status = 200): void {
  res.status(status).set(pageHeaders(page)).type('html').send(documentOf(page));
}

/** Throws an Error if a form target is not a valid source. */
export function pageHeaders({ formTargets = [], isPrivate = false }: Page): Record<string, string> {
  const strange = formTargets.find((target) => !FORM_TARGET.test(target));
  if (strange !== undefined) throw new Error(`No source for form-action: ${strange}`);
  const formAction = formTargets.length === 0 ? "'none'" : formTargets.join(' ');
  return {
    'Content-Security-Policy': `${POLICY}; form-action ${formAction}`,
    'Cache-Control': isPrivate ? 'no-store' : 'no-cache',
  };
}

export function answerNotFound(res: Response, lead: Html, body: Html): void {
  answerPage(res, { title: 'Not found', lead, body }, 404);
}

/** Any site may show the picture, and caches keep it for a day. */
export function answerPicture(res: Response, picture: Html): void {
  res.set('Cache-Control', `public, max-age=${DAY_SECONDS}`).set('Cross-Origin-Resource-Policy', 'cross-origin');
  res.set('Content-Security-Policy', PICTURE_POLICY);
  res.type('svg').send(picture.markup);
}

/** Adds a path that answers GET and HEAD only. */
export type Get = (path: string, handler: RequestHandler) => void;

/** Refuses a method that a page does not have. */
export const refuseMethod: RequestHandler = (_req, res) => {
  res.set('Allow', 'GET, HEAD');
  throw new Refusal('method_not_allowed', 'This path answers GET and HEAD only.');
};
