/**
 * The sources of form-action that let a form lead to a redirect URI. Browsers hold every redirect of a form to its policy (CSP 3,
 * section 6.4.1), those of the application too: it may send the person on to whatever site, so the scheme is all that can be said. None
 * for what is no URL.
 */
export function formTargetsOf(redirectUri: string): string[] {
  if (!URL.canParse(redirectUri)) return [];
  const { protocol } = new URL(redirectUri);
  return protocol === 'http:' ? ['http:', 'https:'] : [protocol];
}

/** How a person recognizes where a redirect URI leads: by its host, or by the scheme that an app has taken for its own. */
export function placeOf(redirectUri: string): string {
  if (!URL.canParse(redirectUri)) return redirectUri;
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1);
}
