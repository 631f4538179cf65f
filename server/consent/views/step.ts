import { CSRF_FIELD } from '../../http/browser.ts';
import { type Html, html } from '../../pages/html.ts';

/** What the page of every step towards a consent is given. */
export interface StepProps {
  readonly applicationName: string;
  /** The query of the authorization request as it was sent, without its question mark. */
  readonly query: string;
  readonly csrfToken: string;
}

/** A form of a step: the authorization request goes along with it. */
export function stepForm(path: string, { query, csrfToken }: StepProps, content: Html): Html {
  return html`<form method="post" action="${withQuery(path, query)}">
      <input type="hidden" name="${CSRF_FIELD}" value="${csrfToken}">
      ${content}
    </form>`;
}

export function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}
