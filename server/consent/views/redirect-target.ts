/** What form-action can say of an origin: neither addresses of IPv6 nor the marks that a name may contain and a policy may not. */
const SAYABLE_ORIGIN = /^https?:\/\/[a-z\d.-]+(:\d+)?$/;

/**
 * The source that lets a form lead to a redirect URI, for browsers hold each redirect of a form to its policy (CSP 3, section
 * 6.4.1): its origin, or its scheme where that is all that can be said. Null for what is no URL.
 */
export function formTargetOf(redirectUri: string): string | null {
  if (!URL.canParse(redirectUri)) return null;
  const { origin, protocol } = new URL(redirectUri);
  return SAYABLE_ORIGIN.test(origin) ? origin : protocol;
}

/** How a person recognizes where a redirect URI leads: by its host, or by the scheme that an app has taken for its own. */
export function placeOf(redirectUri: string): string {
  if (!URL.canParse(redirectUri)) return redirectUri;
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1);
}
