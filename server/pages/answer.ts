import type { RequestHandler, Response } from 'express';
import { Refusal } from '../domain/refusal.ts';
import { type Html, html } from './html.ts';
import { documentOf, type Page } from './layout.ts';

/** The status of a page that shows an invalid form again (RFC 9110, section 15.5.21). */
export const ASK_AGAIN = 422;

const DAY_SECONDS = 24 * 60 * 60;

// no upgrade-insecure-requests: a development server uses plain http, including for phones on the same network
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

// an SVG opened directly is a document too
const PICTURE_POLICY = "default-src 'none'";

export function answerPage(res: Response, page: Page, status = 200): void {
  res.status(status).set(pageHeaders(page)).type('html').send(documentOf(page));
}

export function pageHeaders({ hasForms = false, isPrivate = false }: Page): Record<string, string> {
  return {
    'Content-Security-Policy': `${POLICY}; form-action ${hasForms ? "'self'" : "'none'"}`,
    'Cache-Control': isPrivate ? 'no-store' : 'no-cache',
  };
}

export function answerNotFound(res: Response, lead: Html, body: Html): void {
  answerPage(res, { title: 'Not found', lead, body }, 404);
}

/** Any site may embed the picture, and caches may store it for a day. */
export function answerPicture(res: Response, picture: Html): void {
  res.set('Cache-Control', `public, max-age=${DAY_SECONDS}`).set('Cross-Origin-Resource-Policy', 'cross-origin');
  res.set('Content-Security-Policy', PICTURE_POLICY);
  res.type('svg').send(picture.markup);
}

/** Adds a path that supports only GET and HEAD. */
export type Get = (path: string, handler: RequestHandler) => void;

export const refuseMethod: RequestHandler = (_req, res) => {
  res.set('Allow', 'GET, HEAD');
  throw new Refusal('method_not_allowed', 'This path supports only GET and HEAD.');
};

export const ICON = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="8" fill="#5b5bd6"/>
  <path d="M9 22 V19 Q9 13 16 13 H19" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/>
  <circle cx="9" cy="23" r="3.5" fill="#fff"/>
  <path d="M18 7 L26 13 L18 19Z" fill="#fff" stroke="#fff" stroke-linejoin="round"/>
</svg>`;
