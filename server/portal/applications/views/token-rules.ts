import { type Html, html } from '../../../pages/html.ts';

/** When verification tokens change. */
export function tokenRules(): Html {
  return html`<p class="quiet">We sign webhooks about live rides with the live verification token, and those about rides in sandboxes with the sandbox
      one. A token changes when you rotate the secret of its environment, and when you change its webhook URL; the other token stays as it is.
      For 24 hours after a change, the token before it signs too.</p>`;
}
