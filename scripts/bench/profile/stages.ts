/** The stages of a request, in order. */
export const STAGES = [
  'HTTP',
  'log',
  'headers',
  'routing',
  'authentication',
  'limit',
  'body',
  'validator',
  'handler',
  'SQL',
  'response',
  'garbage collection',
  'rest',
] as const;

export type Stage = (typeof STAGES)[number];

const http = (...names: readonly string[]) => new RegExp(`^server/http/(${names.join('|')})\\.`);
const rooms = (...names: readonly string[]) => new RegExp(`^server/(${names.join('|')})(/|\\.[jt]s$)`);
const packages = (...names: readonly string[]) => new RegExp(`^node_modules/(${names.join('|')})/`);

/** The stage of each file. The first match wins. A package without a match counts for its caller. */
const FILES: ReadonlyArray<readonly [Stage, RegExp]> = [
  [
    'HTTP',
    http(
      'fast-server',
      'connections',
      'intake',
      'parser-errors',
      'request-target',
      'unreadable',
      'cut',
      'notes',
      'close-server',
    ),
  ],
  ['log', http('request-log', 'audit')],
  ['log', rooms('log', 'audit', 'metrics', 'traces')],
  [
    'log',
    packages('@opentelemetry/.*', 'prom-client', 'pino', 'sonic-boom', 'pino-std-serializers', 'safe-stable-stringify'),
  ],
  ['headers', http('cross-origin', 'hosts', 'deprecation', 'in-every-head', 'browser')],
  ['headers', packages('helmet', 'cors', 'cookie', 'csrf-csrf', 'vary')],
  [
    'authentication',
    http('authenticate', 'caller', 'network', 'own', 'only-in-sandbox', 'absent', 'scenario', 'credentials'),
  ],
  ['authentication', rooms('oauth/client-authentication', 'oauth/secrets', 'oauth/passwords')],
  [
    'limit',
    http(
      'rate-limit',
      'windows',
      'latest',
      'calls-at-once',
      'turns',
      'throttle',
      'throttles',
      'secret-throttle',
      'test-event-throttle',
      'slow-down',
    ),
  ],
  ['limit', rooms('redis')],
  ['limit', packages('@redis')],
  ['body', http('body', 'form', 'repeated-keys', 'unstorable')],
  ['body', packages('body-parser', 'raw-body', 'iconv-lite')],
  [
    'validator',
    http('validator', 'compiled-contract', 'contract-violation', 'query', 'instants', 'schema-at', 'percent'),
  ],
  ['validator', packages('express-openapi-validator', 'ajv', 'ajv-formats', 'ajv-draft-04', 'json-schema-traverse')],
  ['response', http('json', 'failures', 'faults', 'request-error', 'error-url', 'got')],
  ['response', /^node_modules\/express\/lib\/response\.js$/],
  ['response', packages('finalhandler', 'send')],
  ['routing', http('mount', 'by-path', 'by-root', 'row', 'call', 'health', 'well-known', 'development')],
  ['routing', rooms('app')],
  ['routing', packages('express', 'router', 'path-to-regexp', 'parseurl')],
  ['SQL', rooms('store')],
  ['SQL', packages('kysely', 'libsql', '@libsql', '@neon-rs', 'pg', 'pg-.*')],
  ['handler', /^server\/http\/operations\//],
  [
    'handler',
    rooms('oauth', 'domain', 'cities', 'rides', 'present', 'consent', 'account', 'portal', 'pages', 'sign-in'),
  ],
  [
    'handler',
    rooms('applications', 'developers', 'simulated', 'price-tokens', 'signing-keys', 'memoize', 'links', 'files'),
  ],
  ['handler', /^generated\//],
  ['handler', packages('luxon', '@turf/.*')],
  // work that is not part of a request
  ['rest', rooms('main', 'memory-of-start', 'config', 'variables', 'parts', 'demo', 'workers', 'webhooks', 'operator')],
  [
    'rest',
    rooms(
      'backup',
      'restore',
      'migrate-to-postgres',
      'command',
      'command-line',
      'passenger',
      'developer',
      'application',
    ),
  ],
];

const NODES_HTTP =
  /^node:(_http|http|net$|internal\/(http|net|stream_base|streams|event_target|js_stream)|events$|stream|_stream)/;

/** Returns the stage of our own or a package's file; null if it counts for its caller. */
export function stageOfFile(file: string): Stage | null {
  return FILES.find(([, files]) => files.test(file))?.[0] ?? null;
}

/** Turns a URL into a path for `stageOfFile`: `server/…`, `node_modules/…` or `node:…`. */
export function fileOf(url: string): string {
  const path = url.replace(/^file:\/\//, '');
  const inPackage = path.lastIndexOf('/node_modules/');
  if (inPackage !== -1) return path.slice(inPackage + 1);
  return /\/((server|generated)\/.*)$/.exec(path.replace(/^.*\/built-servers\/[^/]+/, ''))?.[1] ?? path;
}

/** A frame of a sampled stack. */
export interface Frame {
  readonly functionName: string;
  readonly file: string;
}

/**
 * Returns the stage of the innermost frame whose file has a stage. Calls into Node or a package therefore count for
 * the stage that makes them.
 * @param stack innermost frame first
 */
export function stageOf(stack: readonly Frame[]): Stage {
  if (stack[0]?.functionName === '(garbage collector)') return 'garbage collection';
  for (const { file } of stack) {
    const stage = stageOfFile(file);
    if (stage !== null) return stage;
  }
  return stack.some(({ file }) => NODES_HTTP.test(file)) ? 'HTTP' : 'rest';
}
