import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Config, readConfig, warningsAbout } from '../../server/config.ts';
import { specsOf } from '../../server/variables.ts';

const PRODUCTION = { NODE_ENV: 'production', PUBLIC_URL: 'https://api.example.com' };

function errorOf(environment: NodeJS.ProcessEnv): string {
  try {
    readConfig(environment);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The configuration was accepted');
}

test('without any variable, it is a development server that only this machine reaches', () => {
  expect(readConfig({})).toEqual({
    isProduction: false,
    hasDemo: true,
    port: 8080,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:8080',
    trustedProxies: null,
    allowedHosts: ['localhost'],
    corsOrigins: ['localhost'],
    databaseUrl: 'file:./data/ridehail.db',
    redisUrl: null,
    webhookAllowPrivate: true,
    simulationSpeed: 60,
    rateLimitMultiplier: 1,
    callsAtOnce: { running: 8, waiting: 120 },
    drainMs: 0,
    connections: { maxConnections: 10_000, maxRequestsPerConnection: 1000, maxPipelinedRequests: 16 },
    portalSignUp: 'open',
    metrics: null,
    tracesUrl: null,
    hasRequestLog: true,
    logLevel: 'info',
  });
});

test('docs/deploy.md lists every variable and no others', () => {
  const [, table = ''] = readFileSync('docs/deploy.md', 'utf8').split('| Variable | Default |');
  const [rows = ''] = table.split('\n\n');
  const listed = [...rows.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell]) => cell!.match(/[A-Z_]{2,}/g) ?? []);
  expect(listed.sort()).toEqual(Object.keys(specsOf('development')).sort());
});

const BENCHMARK = { NODE_ENV: 'benchmark', PUBLIC_URL: 'https://localhost' };

test('a benchmark has the settings of production except for its limits, and only this machine reaches it', () => {
  const { host, publicUrl, ...settings } = readConfig(PRODUCTION);
  const own = { host: '127.0.0.1', publicUrl: 'https://localhost' };
  expect(readConfig(BENCHMARK)).toEqual({ ...settings, ...own });
  const loud = { ...BENCHMARK, RATE_LIMIT_MULTIPLIER: '1000', HOST: '::1' };
  expect(readConfig(loud)).toEqual({ ...settings, ...own, host: '::1', rateLimitMultiplier: 1000 });
});

const WITHOUT_DEMO: Partial<Config> = { hasDemo: false, allowedHosts: [], corsOrigins: [], portalSignUp: 'off' };
const ON_ALL_ADDRESSES = { host: '0.0.0.0', simulationSpeed: 1, drainMs: 5000, webhookAllowPrivate: false };
const HOSTS = { ALLOWED_HOSTS: 'Rides.internal, 10.0.0.7,[fd00::7]' };
const NAMES = ['rides.internal', '10.0.0.7', '[fd00::7]'];
const METRICS = { ...PRODUCTION, METRICS_PORT: '9464' };
const READ_BY_OTHERS = { ...METRICS, METRICS_HOST: '10.0.0.7' };
const EVERYWHERE = { HOST: '0.0.0.0' };
const NAMED = { PUBLIC_URL: 'https://rides.example.com' };
const proxies = (TRUST_PROXY: string) => ({ TRUST_PROXY });
const redis = (REDIS_URL: string) => ({ REDIS_URL });
const tracesTo = (OTEL_EXPORTER_OTLP_ENDPOINT: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT });
const PUBLICLY = { WEBHOOK_ALLOW_PRIVATE: 'false' };
const PRIVATELY = { ...PRODUCTION, WEBHOOK_ALLOW_PRIVATE: 'true' };
const LOCAL_NAME = { HOST: '::1', PUBLIC_URL: 'http://rides.localhost:8080' };
const LOCAL_PRODUCTION = { ...PRODUCTION, HOST: 'localhost', PUBLIC_URL: 'https://localhost' };

/** @param warned the variable that the server warns about */
test.each<[says: string, environment: NodeJS.ProcessEnv, config: Partial<Config>, warned?: string]>([
  ['production has neither a demo nor sign-up', PRODUCTION, WITHOUT_DEMO],
  ['production listens on all addresses and runs at real speed', PRODUCTION, ON_ALL_ADDRESSES],
  ['the public URL has the port by default', { PORT: '9000' }, { publicUrl: 'http://localhost:9000' }],
  ['the public URL has no trailing slash', { PUBLIC_URL: 'https://a.example/' }, { publicUrl: 'https://a.example' }],
  ['ALLOWED_HOSTS adds host names of the server', HOSTS, { allowedHosts: ['localhost', ...NAMES] }],
  ['ALLOWED_HOSTS adds names in production too', { ...PRODUCTION, ...HOSTS }, { allowedHosts: NAMES }],
  ['only this machine can read metrics by default', METRICS, { metrics: { port: 9464, host: '127.0.0.1' } }],
  ['others can read them at METRICS_HOST', READ_BY_OTHERS, { metrics: { port: 9464, host: '10.0.0.7' } }],
  ['traces go to a URL', tracesTo('http://localhost:4318/'), { tracesUrl: 'http://localhost:4318' }],
  ['traces go to a URL with a path', tracesTo('https://c.example/otlp'), { tracesUrl: 'https://c.example/otlp' }],
  ['proxies are trusted by number', proxies('1'), { trustedProxies: 1 }],
  ['proxies are trusted by address', proxies('loopback, fd00::/8'), { trustedProxies: 'loopback, fd00::/8' }],
  ['servers share counts in Redis', redis('redis://localhost'), { redisUrl: 'redis://localhost' }],
  ['Redis can use TLS', redis('rediss://me:hush@10.0.0.7:63/3'), { redisUrl: 'rediss://me:hush@10.0.0.7:63/3' }],
  ['Redis can have an IPv6 address', redis('redis://[::1]:6379/'), { redisUrl: 'redis://[::1]:6379/' }],
  ['webhooks to private addresses can be forbidden', PUBLICLY, { webhookAllowPrivate: false }],
  ['production can allow them, with a warning', PRIVATELY, { webhookAllowPrivate: true }, 'WEBHOOK_ALLOW_PRIVATE'],
  ['the demo exists if only this machine reaches the server', {}, { hasDemo: true }],
  ['the demo exists under any name of this machine', LOCAL_NAME, { hasDemo: true }],
  ['the demo can be disabled', { DEMO: 'false' }, { hasDemo: false }],
  ['the demo is disabled if other machines reach the server', EVERYWHERE, { hasDemo: false }],
  ['the demo is disabled under a public name', NAMED, { hasDemo: false }],
  ['the demo can be enabled for others, with a warning', { ...EVERYWHERE, DEMO: 'true' }, { hasDemo: true }, 'DEMO'],
  ['the demo can be enabled under a public name', { ...NAMED, DEMO: 'true' }, { hasDemo: true }, 'DEMO'],
  ['the demo never exists in production', LOCAL_PRODUCTION, { hasDemo: false }],
  ['the demo can be disabled in production too', { ...PRODUCTION, DEMO: 'false' }, { hasDemo: false }],
])('%s', (_, environment, config, warned) => {
  expect(readConfig(environment)).toMatchObject(config);
  expect(warningsAbout(readConfig(environment))).toEqual(warned ? [expect.stringContaining(warned)] : []);
});

test('an empty variable counts as unset', () => {
  const names = Object.keys(specsOf('development'));
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}));
});

describe('a wrong variable', () => {
  const ofAny: Record<string, string[]> = {
    PORT: ['eighty', '70000', '-1'],
    NODE_ENV: ['staging'],
    LOG_LEVEL: ['loud'],
    SIMULATION_SPEED: ['0', 'fast', 'Infinity'],
    MAX_CONCURRENT_CALLS: ['0', 'many', '1.5', '1000001'],
    MAX_WAITING_CALLS: ['-1', '1e3', '1000001'],
    RATE_LIMIT_MULTIPLIER: ['-2'],
    WEBHOOK_ALLOW_PRIVATE: ['sometimes'],
    ALLOWED_HOSTS: [
      ...['https://rides.example.com', 'rides.example.com:8080', '*', '*.example.com', '.example.com,'],
      ...['fd00::7', 'a b', 'rides.example.com/', 'me@rides.example.com', '127.1', 'münchen.example'],
    ],
    CORS_ORIGINS: ['app.example.com', 'https://app.example.com/', 'https://a.example, ftp://b.example', 'null'],
    METRICS_PORT: ['0', 'on', '70000'],
    REQUEST_LOG: ['yes', 'true', 'ON'],
    PORTAL_SIGN_UP: ['yes', 'OPEN', 'invited'],
    DEMO: ['yes', '1'],
    MAX_CONNECTIONS: ['0', '-1', '1.5', 'many', '1e3', '1234567890'],
    MAX_REQUESTS_PER_CONNECTION: ['0', 'Infinity'],
    MAX_PIPELINED_REQUESTS: ['0', ' 4'],
    DRAIN_SECONDS: ['-1', 'soon', '3601', 'Infinity'],
    TRUST_PROXY: ['true', '-1', '1.5', '10.0.0.0/33', '10.0.0.1, proxy.example.com'],
    PUBLIC_URL: [
      ...['api', 'http://localhost:8080/api', 'http://localhost:8080?a=b'],
      ...['http://someone@localhost:8080', 'ftp://localhost'],
    ],
  };

  test.each<[string, NodeJS.ProcessEnv]>([
    ...Object.entries(ofAny).flatMap(([name, values]) =>
      values.map((value): [string, NodeJS.ProcessEnv] => [name, { [name]: value }]),
    ),
    ['PUBLIC_URL', { NODE_ENV: 'production' }],
    ['PUBLIC_URL', { ...PRODUCTION, PUBLIC_URL: 'http://api.example.com' }],
    ['PUBLIC_URL', { ...PRODUCTION, PUBLIC_URL: 'https://' }],
    ['DEMO', { ...PRODUCTION, DEMO: 'true' }],
    ['RATE_LIMIT_MULTIPLIER', { ...PRODUCTION, RATE_LIMIT_MULTIPLIER: '10' }],
    ['SIMULATION_SPEED', { ...PRODUCTION, SIMULATION_SPEED: '60' }],
    ['SIMULATION_SPEED', { ...BENCHMARK, SIMULATION_SPEED: '60' }],
    ['DEMO', { ...BENCHMARK, DEMO: 'true' }],
    ['PUBLIC_URL', { NODE_ENV: 'benchmark' }],
    ['PUBLIC_URL', { ...BENCHMARK, PUBLIC_URL: 'http://localhost' }],
    ['PUBLIC_URL', { ...BENCHMARK, PUBLIC_URL: 'https://api.example.com' }],
    ['HOST', { ...BENCHMARK, HOST: '0.0.0.0' }],
    ['HOST', { ...BENCHMARK, HOST: '192.0.2.7' }],
    ['METRICS_HOST', { ...BENCHMARK, METRICS_HOST: '0.0.0.0' }],
    ['RATE_LIMIT_MULTIPLIER', { ...BENCHMARK, RATE_LIMIT_MULTIPLIER: '0' }],
  ])('is reported with the allowed values: %s of %j', (name, environment) => {
    const value = environment[name];
    const problem = value === undefined ? `${name} is not set. It must be ` : `${name} must be `;
    const [title, ...problems] = errorOf(environment).split('\n');
    expect(title).toBe('Configuration:');
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^ {2}${problem}.{8,}\\.$`))]);
    expect(problems[0]).not.toContain('undefined');
    if (value !== undefined) expect(problems[0]).toContain(`, not ${JSON.stringify(value)}.`);
  });

  test('is reported together with all others', () => {
    const wrong = Object.fromEntries(Object.entries(ofAny).map(([name, [value]]) => [name, value!]));
    const { NODE_ENV, ...rest } = wrong;
    const named = (environment: NodeJS.ProcessEnv) =>
      errorOf(environment)
        .split('\n')
        .slice(1)
        .map((line) => line.trim().split(' ')[0]);
    expect(named(wrong).sort()).toEqual(Object.keys(wrong).sort());
    expect(named({ ...rest, NODE_ENV: 'production' }).sort()).toEqual(Object.keys(rest).sort());
  });

  test.each([
    ['DATABASE_URL', 'mysql://me:hush@db', 'postgres:'],
    ['REDIS_URL', 'http://me:hush@db', 'redis:'],
    ['REDIS_URL', 'me:hush@db', 'redis:'],
    ['REDIS_URL', 'redis://', 'redis:'],
    ['REDIS_URL', 'redis://me:hush@db:port', 'redis:'],
    ['REDIS_URL', 'redis://me:hush@db/name', 'redis:'],
    ['REDIS_URL', 'redis://me:hush%zz@db', 'redis:'],
    ['REDIS_URL', 'redis://me:hush@db?db=1', 'redis:'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://me:hush@collector', 'an http or https URL'],
  ])('is not repeated if it may contain a password: %s of %s', (name, value, said) => {
    const error = errorOf({ [name]: value });
    expect(error).toContain(`${name} must be `);
    expect(error).toContain(said);
    expect(error).not.toContain('hush');
  });
});
