/**
 * The form-action sources for a form that ends at a redirect URI; none if it isn't a URL. Browsers apply form-action to
 * every redirect of a form (CSP 3, section 6.4.1). The application may redirect to any site, so this allows the whole
 * scheme.
 */
export function formTargetsOf(redirectUri: string): string[] {
  if (!URL.canParse(redirectUri)) return [];
  const { protocol } = new URL(redirectUri);
  return protocol === 'http:' ? ['http:', 'https:'] : [protocol];
}

/** The part of a redirect URI that a person recognizes: the host, or an app's scheme. */
export function placeOf(redirectUri: string): string {
  if (!URL.canParse(redirectUri)) return redirectUri;
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1);
}
