import { html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import type { ReturnAddress } from '../authorization-request.ts';

/**
 * Goes on to the application. A redirect would belong to the form: browsers apply the form's policy to every redirect
 * after it, also to those of the application (CSP 3, section 6.4.1), and block an app's scheme or plain http.
 * @param path of the operation, which redirects to the application
 */
export function leavingPage({ application, redirectUri }: ReturnAddress, path: string): Page {
  return {
    title: `Back to ${application.name}`,
    lead: html`You return to <strong>${placeOf(redirectUri)}</strong>.`,
    body: html`<p><a href="${path}">Continue</a>, if nothing happens.</p>`,
    goOnTo: path,
    isPrivate: true,
    isStep: true,
  };
}

/** The part of a redirect URI that a person recognizes: the host, or an app's scheme. */
export function placeOf(redirectUri: string): string {
  if (!URL.canParse(redirectUri)) return redirectUri;
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1);
}
