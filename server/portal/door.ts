import type { RequestHandler } from 'express';

/** A page for those who are not signed in. Its form posts to the page's own path; its CSRF token is checked. */
export interface Door {
  readonly path: string;
  readonly show: RequestHandler;
  readonly submit: RequestHandler;
}
