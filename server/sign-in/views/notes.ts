import { type Html, html } from '../../pages/html.ts';

export function noteDone(sentence: string): Html {
  return html`<p class="done" role="status">${sentence}</p>`;
}

/** The same for a new and a taken email, so the page doesn't reveal who has an account. */
export const SIGNED_UP = html`<p class="note" role="status">Sign in to continue. If you’re new, use the password you just chose. If this
      email already had an account, nothing changed: use that account’s password.</p>`;
