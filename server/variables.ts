import { bool, makeValidator, port, str } from 'envalid';
import { compile } from 'proxy-addr';
import { CALLS_AT_ONCE } from '../generated/server.ts';
import { isLoopback } from './domain/loopback.ts';
import { own } from './domain/own.ts';
import { CONNECTION_DEFAULTS } from './http/connections.ts';
import type { PortalSignUp, TrustedProxies } from './parts.ts';

const PORTAL_SIGN_UPS: readonly PortalSignUp[] = ['open', 'invite', 'off'];
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const DEVELOPMENT_SPEED = 60;
/** Load balancers check every few seconds whether a server is ready. */
const PRODUCTION_DRAIN_SECONDS = 5;
/**
 * The largest value of `DRAIN_SECONDS`.
 * @beyond the server does not start, and reports it
 * @heldBy tests/process/config.test.ts
 */
const MOST_DRAIN_SECONDS = 3600;
const OWN_ADDRESS = '127.0.0.1';
const A_COUNT = 'a whole number from 1 to 1000000';

/**
 * The largest value of a variable that counts calls, connections or requests.
 * @beyond the server does not start, and reports it
 * @heldBy tests/process/config.test.ts
 */
const MOST_OF_ANYTHING = 1_000_000;

/** @param read returns undefined, or throws, for an invalid text */
function valid<T>(read: (input: string) => T | undefined) {
  return makeValidator<T>((input) => {
    const value = read(input);
    if (value === undefined) throw new TypeError();
    return value;
  });
}

const numberIf = (isValid: (value: number, input: string) => boolean) =>
  valid((input) => (isValid(Number(input), input) ? Number(input) : undefined));

/** Only these texts. */
const oneOf = <T>(values: Readonly<Record<string, T>>) => valid((input) => own(values, input));

const positive = numberIf((value, input) => input.trim() !== '' && Number.isFinite(value) && value > 0);
const wholeFrom = (least: number) =>
  numberIf((value, input) => /^\d+$/.test(input) && value >= least && value <= MOST_OF_ANYTHING);
const count = wholeFrom(1);
const countOrNone = wholeFrom(0);
const seconds = numberIf((value, input) => /^\d+(\.\d+)?$/.test(input) && value <= MOST_DRAIN_SECONDS);

const urlOf = (input: string) => (URL.canParse(input) ? new URL(input) : undefined);

/** A scheme, host and port. A path would break the pages, because they link from the root. */
const originOf = (scheme: RegExp, mayBe: (hostname: string) => boolean = () => true) =>
  valid((input) => {
    const url = urlOf(input);
    const isOrigin = url && scheme.test(url.protocol) && url.href === `${url.origin}/` && mayBe(url.hostname);
    return isOrigin ? url.origin : undefined;
  });

const origin = originOf(/^https?:$/);
const secureOrigin = originOf(/^https:$/);
const ownSecureOrigin = originOf(/^https:$/, isLoopback);

/** The URL of a trace collector. It may have a path; a trailing slash is removed. */
const collector = valid((input) => {
  const url = urlOf(input);
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
  return isPlain && /^https?:$/.test(url.protocol) ? url.href.replace(/\/$/, '') : undefined;
});

const origins = listOf((name) => {
  const isOrigin = URL.canParse(name) && /^https?:\/\/./.test(name) && new URL(name).origin === name;
  return name === '*' || name === 'localhost' || isOrigin;
});

/** No wildcards: they would admit anyone who controls a name below them. */
const hosts = listOf(
  (name) => /^([a-z\d._-]+|\[[a-f\d:.]+\])$/.test(name) && urlOf(`http://${name}`)?.hostname === name,
  (name) => name.toLowerCase(),
);

/** Names separated by commas. */
function listOf(isValid: (name: string) => boolean, normal = (name: string) => name) {
  return valid<readonly string[]>((input) => {
    const names = input.split(',').map((name) => normal(name.trim()));
    return names.every(isValid) ? names : undefined;
  });
}

const databaseUrl = valid((input) => (/^(file:.|postgres(ql)?:\/\/)/.test(input) ? input : undefined));

const redisUrl = valid((input) => {
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(input);
  const isRedis = /^rediss?:$/.test(protocol) && hostname !== '' && /^\/?\d*$/.test(pathname) && search + hash === '';
  // throws unless they are encoded as in a URL
  decodeURIComponent(username + password);
  return isRedis ? input : undefined;
});

/** The number of proxies, or their addresses, separated by commas. */
const proxies = makeValidator<NonNullable<TrustedProxies>>((input) => {
  if (/^\d+$/.test(input)) return Number(input);
  // Express reads the addresses with the same package
  compile(input.split(',').map((address) => address.trim()));
  return input;
});

/** Only 1, in production. */
const onlyOne = oneOf({ '1': 1 });
const boolean = oneOf({ true: true, false: false });
const onlyFalse = oneOf({ false: false });

/** A host name or address that only this machine reaches. */
const ownHost = valid((input) => (isLoopback(input.toLowerCase()) ? input : undefined));

/** `benchmark`: the settings of production, with higher rate limits, so only its own machine may reach the server. */
type Mode = 'development' | 'production' | 'benchmark';

export function modeOf({ NODE_ENV }: NodeJS.ProcessEnv): Mode {
  return NODE_ENV === 'production' || NODE_ENV === 'benchmark' ? NODE_ENV : 'development';
}

/** The variables. `desc` completes "must be" in error messages. */
export function specsOf(mode: Mode) {
  const isProduction = mode !== 'development';
  const factor = isProduction ? onlyOne : positive;
  const aFactor = isProduction ? '1 in production' : 'a number greater than 0';
  return {
    NODE_ENV: str({
      choices: ['development', 'test', 'production', 'benchmark'],
      default: 'development',
      desc: 'development, test, production or benchmark',
    }),
    PORT: port({ default: 8080, desc: 'a port number from 1 to 65535' }),
    HOST: hostIn(mode, '0.0.0.0'),
    PUBLIC_URL: publicUrlIn(mode),
    TRUST_PROXY: proxies({
      default: undefined,
      desc: 'a number of proxies, or their addresses and subnets, such as 10.0.0.0/8, 192.0.2.7',
    }),
    ALLOWED_HOSTS: hosts({
      default: [],
      desc: 'host names without ports, separated by commas, such as rides.internal, 10.0.0.7',
    }),
    CORS_ORIGINS: origins({
      default: isProduction ? [] : ['localhost'],
      desc: 'origins separated by commas, such as https://app.example.com, or localhost for every origin on this machine, or *',
    }),
    DEMO: isProduction
      ? onlyFalse({ default: undefined, desc: 'false in production, because the demo credentials are public' })
      : boolean({ default: undefined, desc: 'true or false' }),
    DATABASE_URL: databaseUrl({
      default: 'file:./data/ridehail.db',
      desc: 'file: and a path, or postgres://user@host/database',
    }),
    REDIS_URL: redisUrl({
      default: undefined,
      desc: 'redis:// or rediss:// and a host, such as redis://user:password@host:6379/0',
    }),
    WEBHOOK_ALLOW_PRIVATE: bool({ default: !isProduction, desc: 'true or false' }),
    SIMULATION_SPEED: factor({ default: isProduction ? 1 : DEVELOPMENT_SPEED, desc: aFactor }),
    /**
     * Concurrent calls of an application, and separately of all its sandboxes.
     * @beyond further ones wait
     * @heldBy tests/http/calls-at-once.test.ts
     */
    MAX_CONCURRENT_CALLS: count({ default: CALLS_AT_ONCE.running, desc: A_COUNT }),
    /**
     * Calls of an application that wait for one of these to end.
     * @beyond 429 with `Retry-After`
     * @heldBy tests/http/calls-at-once.test.ts
     */
    MAX_WAITING_CALLS: countOrNone({ default: CALLS_AT_ONCE.waiting, desc: 'a whole number from 0 to 1000000' }),
    RATE_LIMIT_MULTIPLIER:
      mode === 'benchmark'
        ? positive({ default: 1, desc: 'a number greater than 0' })
        : factor({ default: 1, desc: aFactor }),
    /**
     * How long the server continues to serve after SIGTERM, as not ready.
     * @beyond it accepts no more connections
     * @heldBy tests/process/life.test.ts
     */
    DRAIN_SECONDS: seconds({
      default: isProduction ? PRODUCTION_DRAIN_SECONDS : 0,
      desc: `a number from 0 to ${MOST_DRAIN_SECONDS}`,
    }),
    /**
     * Open connections.
     * @beyond further ones are closed as soon as they are accepted
     * @heldBy tests/http/connections.test.ts
     */
    MAX_CONNECTIONS: count({ default: CONNECTION_DEFAULTS.maxConnections, desc: A_COUNT }),
    /**
     * Requests on one connection.
     * @beyond the last response closes it, and the client opens a new one
     * @heldBy tests/http/connections.test.ts
     */
    MAX_REQUESTS_PER_CONNECTION: count({ default: CONNECTION_DEFAULTS.maxRequestsPerConnection, desc: A_COUNT }),
    /**
     * Requests in progress on one connection.
     * @beyond the server reads the next one after a response
     * @heldBy tests/http/connections.test.ts
     */
    MAX_PIPELINED_REQUESTS: count({ default: CONNECTION_DEFAULTS.maxPipelinedRequests, desc: A_COUNT }),
    PORTAL_SIGN_UP: str({
      choices: PORTAL_SIGN_UPS,
      default: isProduction ? 'off' : 'open',
      desc: `one of ${PORTAL_SIGN_UPS.join(', ')}`,
    }),
    METRICS_PORT: port({ default: undefined, desc: 'a port number from 1 to 65535' }),
    // metrics need no authentication, so only the operator can expose them to others
    METRICS_HOST: hostIn(mode),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector({
      default: undefined,
      desc: 'an http or https URL without a query, such as http://localhost:4318',
    }),
    REQUEST_LOG: oneOf({ on: true, off: false })({ default: true, desc: 'on or off' }),
    LOG_LEVEL: str({ choices: LOG_LEVELS, default: 'info', desc: `one of ${LOG_LEVELS.join(', ')}` }),
  };
}

function hostIn(mode: Mode, inProduction = OWN_ADDRESS) {
  if (mode === 'benchmark') return ownHost({ default: OWN_ADDRESS, desc: 'an address that only this machine reaches' });
  return str({ default: mode === 'production' ? inProduction : OWN_ADDRESS, desc: 'an address to listen on' });
}

function publicUrlIn(mode: Mode) {
  if (mode === 'benchmark')
    return ownSecureOrigin({ desc: 'an https URL that only this machine reaches, such as https://localhost' });
  return mode === 'production'
    ? secureOrigin({ desc: 'the https URL where clients reach the server, such as https://rides.example.com' })
    : origin({ default: undefined, desc: 'an http or https URL without a path, such as http://localhost:8080' });
}
