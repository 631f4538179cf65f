/** Headers of responses and webhooks that the contract does not have to declare, each with the reason. */
const HTTP = 'HTTP describes each message with it (RFC 9110, RFC 9112)';
const ORIGIN = 'browsers need it for pages of other origins (Fetch standard, CORS)';
const SECURITY = 'helmet sends it with every response';

const FILE = 'a page names a file for download with it (RFC 6266)';

export const BEYOND: Readonly<Record<string, string>> = {
  'content-type': HTTP,
  'content-length': HTTP,
  'content-disposition': FILE,
  connection: HTTP,
  host: HTTP,
  'access-control-allow-origin': ORIGIN,
  'access-control-expose-headers': ORIGIN,
  vary: ORIGIN,
  'content-security-policy': SECURITY,
  'cross-origin-opener-policy': SECURITY,
  'cross-origin-resource-policy': SECURITY,
  'origin-agent-cluster': SECURITY,
  'referrer-policy': SECURITY,
  'strict-transport-security': SECURITY,
  'x-content-type-options': SECURITY,
  'x-dns-prefetch-control': SECURITY,
  'x-download-options': SECURITY,
  'x-frame-options': SECURITY,
  'x-permitted-cross-domain-policies': SECURITY,
  'x-xss-protection': SECURITY,
};

/** Declared facts that no test can see: part (or * for any), fact, reason. */
export const UNSEEN: ReadonlyArray<readonly [part: string, fact: string, reason: string]> = [
  ['*', 'parameter: header Svc-Sandbox-Scenario at the maximum length', 'no error code is that long'],
  ...['lat', 'lng'].flatMap((name) =>
    ['minimum', 'maximum'].map((end) => {
      const fact = `parameter: body destination.${name} at the ${end} value`;
      return ['requestRide', fact, 'no ride can go that far'] as const;
    }),
  ),
];
