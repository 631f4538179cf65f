import { CSRF_FIELD } from '../../http/browser.ts';
import { type Html, html } from '../../pages/html.ts';

/** A form with its CSRF token. */
export function formTo(path: string, csrfToken: string, content: Html): Html {
  return html`<form method="post" action="${path}">
      <input type="hidden" name="${CSRF_FIELD}" value="${csrfToken}">
      ${content}
    </form>`;
}
