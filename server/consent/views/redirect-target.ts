/**
 * The form-action sources that let a form lead to a redirect URI; none if it is not a URL. Browsers apply form-action
 * to every redirect of a form (CSP 3, section 6.4.1). The application may redirect to any site, so only a scheme is
 * given.
 */
export function formTargetsOf(redirectUri: string): string[] {
  if (!URL.canParse(redirectUri)) return [];
  const { protocol } = new URL(redirectUri);
  return protocol === 'http:' ? ['http:', 'https:'] : [protocol];
}

/** What a person recognizes of a redirect URI: its host, or the scheme of an app. */
export function placeOf(redirectUri: string): string {
  if (!URL.canParse(redirectUri)) return redirectUri;
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1);
}
