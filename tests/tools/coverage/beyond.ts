/** Headers that describe each message (RFC 9110, RFC 9112). `content-disposition` names a file for download. */
export const OF_HTTP = ['content-type', 'content-length', 'content-disposition', 'connection', 'host', 'vary'];
/** Headers that helmet sends with every response. In production it also sends `strict-transport-security`. */
export const OF_HELMET = [
  ...['content-security-policy', 'cross-origin-opener-policy', 'cross-origin-resource-policy', 'origin-agent-cluster'],
  ...['referrer-policy', 'x-content-type-options', 'x-dns-prefetch-control', 'x-download-options'],
  ...['x-frame-options', 'x-permitted-cross-domain-policies', 'x-xss-protection'],
];
/** Headers that browsers need for pages of other origins (Fetch standard, CORS). */
export const OF_CORS = ['access-control-allow-origin', 'access-control-expose-headers'];

/** Declared facts that no test can see: part (or * for any), fact, reason. */
export const UNSEEN: ReadonlyArray<readonly [part: string, fact: string, reason: string]> = [
  ['*', 'parameter: header Svc-Sandbox-Scenario at the maximum length', 'no error code is that long'],
  ...['lat at the minimum', 'lat at the maximum', 'lng at the minimum', 'lng at the maximum'].map(
    (end) => ['requestRide', `parameter: body destination.${end} value`, 'no ride can go that far'] as const,
  ),
];
