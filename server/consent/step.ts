import type { Response } from 'express';
import { OPERATIONS } from '../../generated/server.ts';
import type { Visitor } from '../http/caller.ts';
import type { Html } from '../pages/page.ts';
import type { SentForm } from '../sign-in/sent-form.ts';
import { formTo } from '../sign-in/views/form.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

export interface Visit {
  readonly visitor: Visitor;
  /** The valid authorization request that the form carries. */
  readonly request: AuthorizationRequest;
  readonly form: SentForm;
  readonly res: Response;
}

export type FormHandler = (visit: Visit) => Promise<void> | void;

/** What the pages before a consent show. It sets a cookie. */
export function propsOf({ application, query }: AuthorizationRequest, { csrfToken }: Visitor): StepProps {
  return { applicationName: application.name, query, csrfToken: csrfToken() };
}

/** Redirects to the operation. The path is fixed, so no query can turn it into an open redirect. */
export function goOn(res: Response, query: string): void {
  res.redirect(303, authorizePath(query));
}

export function authorizePath(query: string): string {
  return withQuery(OPERATIONS.authorizeApplication.path, query);
}

export interface StepProps {
  readonly applicationName: string;
  /** The query of the authorization request, without the question mark. */
  readonly query: string;
  readonly csrfToken: string;
}

/** A form that passes the authorization request on. */
export function stepForm(path: string, { query, csrfToken }: StepProps, content: Html, id?: string): Html {
  return formTo(withQuery(path, query), csrfToken, content, {}, id);
}

export function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}
