import type { Response } from 'express';
import { OPERATIONS } from '../../generated/server.ts';
import type { Visitor } from '../http/caller.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { SentForm } from './sent-form.ts';
import { withQuery } from './views/step.ts';

/** Someone on the way to a consent: who and where they are, and what they sent. */
export interface Visit {
  readonly visitor: Visitor;
  /** The authorization request that it is about; it is in order. */
  readonly request: AuthorizationRequest;
  readonly form: SentForm;
  readonly res: Response;
}

/** Answers a form. */
export type Step = (visit: Visit) => Promise<void> | void;

/** The status of a page that asks again: the form can be read, but what it says will not do (RFC 9110, section 15.5.21). */
export const ASK_AGAIN = 422;

/** Sends a browser on to where every step leads. No query makes another place of it. */
export function goOn(res: Response, query: string): void {
  res.redirect(303, authorizePath(query));
}

export function authorizePath(query: string): string {
  return withQuery(OPERATIONS.authorizeApplication.path, query);
}
