import type { Response } from 'express';
import type { Html } from './html.ts';
import { documentOf, type Page } from './layout.ts';

const DAY_SECONDS = 24 * 60 * 60;

// no upgrade-insecure-requests: a development server speaks plain http, also to the telephone beside it
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// an SVG is a document too when it is opened by itself
const PICTURE_POLICY = "default-src 'none'";

export function answerPage(res: Response, page: Page, status = 200): void {
  res.status(status).set('Content-Security-Policy', POLICY);
  res.set('Cache-Control', page.isPrivate ? 'no-store' : 'no-cache');
  res.type('html').send(documentOf(page));
}

/** A 404 for people. */
export function answerNotFound(res: Response, lead: Html, body: Html): void {
  answerPage(res, { title: 'Not found', lead, body }, 404);
}

/** A picture that any application may show on its own pages, and keep for a day. */
export function answerPicture(res: Response, picture: Html): void {
  res.set('Cache-Control', `public, max-age=${DAY_SECONDS}`).set('Cross-Origin-Resource-Policy', 'cross-origin');
  res.set('Content-Security-Policy', PICTURE_POLICY);
  res.type('svg').send(picture.markup);
}
