/** The part of a redirect URI that a person recognizes: the host, or an app's scheme. */
export function placeOf(redirectUri: string): string {
  if (!URL.canParse(redirectUri)) return redirectUri;
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1);
}
