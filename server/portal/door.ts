import type { RequestHandler } from 'express';

/** A page for signed-out visitors. Its form posts to the page's path, after the CSRF check. */
export interface Door {
  readonly path: string;
  readonly show: RequestHandler;
  readonly submit: RequestHandler;
}
