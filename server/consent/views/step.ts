import type { Html } from '../../pages/html.ts';
import { formTo } from '../../sign-in/views/form.ts';

export interface StepProps {
  readonly applicationName: string;
  /** The query of the authorization request, without the question mark. */
  readonly query: string;
  readonly csrfToken: string;
}

/** A form that passes the authorization request on. */
export function stepForm(path: string, { query, csrfToken }: StepProps, content: Html): Html {
  return formTo(withQuery(path, query), csrfToken, content);
}

export function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}
