/** Headers of responses and webhooks that the contract does not have to declare, each with the reason. */
const HTTP = 'how HTTP delimits and describes what it carries (RFC 9110, RFC 9112)';
const ORIGIN = 'what browsers need for a page of another origin (Fetch standard, CORS)';
const SECURITY = 'what helmet tells browsers, for every answer alike';

const FILE = 'the name of a file that a page offers for download (RFC 6266)';

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
  ['*', 'parameter: header Svc-Sandbox-Scenario of the greatest length', 'no failure has a code that long'],
  ...['lat', 'lng'].flatMap((name) =>
    ['least', 'greatest'].map((end) => {
      const fact = `parameter: body destination.${name} of the ${end} value`;
      return ['requestRide', fact, 'nobody who is picked up is driven so far'] as const;
    }),
  ),
];
