import { type Html, html } from '../../pages/html.ts';

/** Says what a form has just done. */
export function noteDone(sentence: string): Html {
  return html`<p class="done" role="status">${sentence}</p>`;
}
