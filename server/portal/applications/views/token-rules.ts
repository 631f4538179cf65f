import { type Html, html } from '../../../pages/html.ts';

/** Explains when verification tokens change. */
export function tokenRules(): Html {
  return html`<p class="quiet">We sign live webhooks with the live verification token and sandbox webhooks with the sandbox verification token.
      A token changes when you rotate that environment’s client secret or change its webhook URL. For 24 hours after a change, we sign
      with both the new and the previous token.</p>`;
}
