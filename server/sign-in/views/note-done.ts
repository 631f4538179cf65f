import { type Html, html } from '../../pages/html.ts';

/** A success note above the page's content. */
export function noteDone(sentence: string): Html {
  return html`<p class="done" role="status">${sentence}</p>`;
}
