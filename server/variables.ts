import { bool, makeValidator, port, str } from 'envalid';
import { compile } from 'proxy-addr';
import { CALLS_AT_ONCE } from '../generated/server.ts';
import { isLoopback } from './domain/loopback.ts';
import { CONNECTION_DEFAULTS } from './http/connections.ts';
import type { PortalSignUp, TrustedProxies } from './parts.ts';

const PORTAL_SIGN_UPS: readonly PortalSignUp[] = ['open', 'invite', 'off'];
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const DEVELOPMENT_SPEED = 60;
/** Load balancers check every few seconds whether a server is ready. */
const PRODUCTION_DRAIN_SECONDS = 5;
const MOST_DRAIN_SECONDS = 3600;
const OWN_ADDRESS = '127.0.0.1';
const A_COUNT = 'a whole number from 1 to 1000000';

const positive = makeValidator<number>((input) => {
  const value = Number(input);
  if (input.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new TypeError();
});

const MOST_OF_ANYTHING = 1_000_000;

const wholeFrom = (least: number) =>
  makeValidator<number>((input) => {
    const value = Number(input);
    if (/^\d+$/.test(input) && value >= least && value <= MOST_OF_ANYTHING) return value;
    throw new TypeError();
  });

const count = wholeFrom(1);
const countOrNone = wholeFrom(0);

const seconds = makeValidator<number>((input) => {
  const value = Number(input);
  if (/^\d+(\.\d+)?$/.test(input) && value <= MOST_DRAIN_SECONDS) return value;
  throw new TypeError();
});

/** A scheme, host and port. A path would break the pages, because they link from the root. */
const originOf = (scheme: RegExp) =>
  makeValidator<string>((input) => {
    const url = URL.canParse(input) ? new URL(input) : undefined;
    if (url && scheme.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
    throw new TypeError();
  });

/** The URL of a trace collector. It may have a path; a trailing slash is removed. */
const collector = makeValidator<string>((input) => {
  const url = URL.canParse(input) ? new URL(input) : undefined;
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/$/, '');
  throw new TypeError();
});

const origin = originOf(/^https?:$/);
const secureOrigin = originOf(/^https:$/);

const origins = makeValidator<readonly string[]>((input) => {
  const names = input.split(',').map((name) => name.trim());
  const isOrigin = (name: string) => URL.canParse(name) && /^https?:\/\/./.test(name) && new URL(name).origin === name;
  if (names.every((name) => name === '*' || name === 'localhost' || isOrigin(name))) return names;
  throw new TypeError();
});

/** Comma-separated host names. No wildcards: they would admit anyone who controls a name below them. */
const hosts = makeValidator<readonly string[]>((input) => {
  const names = input.split(',').map((name) => name.trim().toLowerCase());
  const isHost = (name: string) =>
    /^([a-z\d._-]+|\[[a-f\d:.]+\])$/.test(name) &&
    URL.canParse(`http://${name}`) &&
    new URL(`http://${name}`).hostname === name;
  if (names.every(isHost)) return names;
  throw new TypeError();
});

const databaseUrl = makeValidator<string>((input) => {
  if (/^(file:.|postgres(ql)?:\/\/)/.test(input)) return input;
  throw new TypeError();
});

const redisUrl = makeValidator<string>((input) => {
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(input);
  if (!/^rediss?:$/.test(protocol) || hostname === '' || !/^\/?\d*$/.test(pathname) || search + hash !== '')
    throw new TypeError();
  // throws unless they are encoded as in a URL
  decodeURIComponent(username + password);
  return input;
});

/** The number of proxies, or their addresses, separated by commas. */
const proxies = makeValidator<NonNullable<TrustedProxies>>((input) => {
  if (/^\d+$/.test(input)) return Number(input);
  // Express reads the addresses with the same package
  compile(input.split(',').map((address) => address.trim()));
  return input;
});

/** A variable with a single allowed value in production. */
const onlyOne = makeValidator<number>((input) => {
  if (input === '1') return 1;
  throw new TypeError();
});

const boolean = makeValidator<boolean>((input) => {
  if (input === 'true' || input === 'false') return input === 'true';
  throw new TypeError();
});

/** A host name or address that only this machine reaches. */
const ownHost = makeValidator<string>((input) => {
  if (isLoopback(input.toLowerCase())) return input;
  throw new TypeError();
});

const ownSecureOrigin = makeValidator<string>((input) => {
  const url = URL.canParse(input) ? new URL(input) : undefined;
  if (url?.protocol === 'https:' && isLoopback(url.hostname) && url.href === `${url.origin}/`) return url.origin;
  throw new TypeError();
});

const onlyFalse = makeValidator<boolean>((input) => {
  if (input === 'false') return false;
  throw new TypeError();
});

/**
 * The server's purpose. `benchmark` uses the settings of production, but its rate limits can be multiplied. Therefore,
 * it may only be reachable from its own machine.
 */
export type Mode = 'development' | 'production' | 'benchmark';

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
    MAX_CONCURRENT_CALLS: count({ default: CALLS_AT_ONCE.running, desc: A_COUNT }),
    MAX_WAITING_CALLS: countOrNone({ default: CALLS_AT_ONCE.waiting, desc: 'a whole number from 0 to 1000000' }),
    RATE_LIMIT_MULTIPLIER:
      mode === 'benchmark'
        ? positive({ default: 1, desc: 'a number greater than 0' })
        : factor({ default: 1, desc: aFactor }),
    DRAIN_SECONDS: seconds({
      default: isProduction ? PRODUCTION_DRAIN_SECONDS : 0,
      desc: `a number from 0 to ${MOST_DRAIN_SECONDS}`,
    }),
    MAX_CONNECTIONS: count({ default: CONNECTION_DEFAULTS.maxConnections, desc: A_COUNT }),
    MAX_REQUESTS_PER_CONNECTION: count({ default: CONNECTION_DEFAULTS.maxRequestsPerConnection, desc: A_COUNT }),
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
