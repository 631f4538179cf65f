/** A port of a URI whose host is a loopback address. The name localhost may resolve to another machine. */
const LOOPBACK_PORT = /(?<=^http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/;

/** Whether an application that registered a redirect URI may use this one: a native app's port varies (RFC 8252, 7.3). */
export function allows(registered: string, named: string): boolean {
  return named === registered || (URL.canParse(named) && withoutPort(named) === withoutPort(registered));
}

function withoutPort(uri: string): string {
  return uri.replace(LOOPBACK_PORT, '');
}
