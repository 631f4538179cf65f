import { CSRF_FIELD } from '../../http/browser.ts';
import { type Html, html } from '../../pages/html.ts';

/** What every page on the way to a consent needs. */
export interface StepProps {
  readonly applicationName: string;
  /** The query of the authorization request, without the question mark. */
  readonly query: string;
  readonly csrfToken: string;
}

/** A form that passes the authorization request on. */
export function stepForm(path: string, { query, csrfToken }: StepProps, content: Html): Html {
  return html`<form method="post" action="${withQuery(path, query)}">
      <input type="hidden" name="${CSRF_FIELD}" value="${csrfToken}">
      ${content}
    </form>`;
}

export function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}
