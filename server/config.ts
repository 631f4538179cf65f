import { bool, cleanEnv, makeValidator, port, str } from 'envalid';
import express from 'express';
import { SECOND_MS } from './domain/time.ts';
import { isLoopback } from './http/loopback.ts';
import type { TrustedProxies } from './parts.ts';

/** The settings of a server, read from its environment. */
export interface Config {
  readonly isProduction: boolean;
  /** Whether the server has the demo application and passengers, whose credentials are public. */
  readonly hasDemo: boolean;
  readonly port: number;
  readonly host: string;
  /** Where clients reach this server, without a slash at the end. */
  readonly publicUrl: string;
  readonly trustedProxies: TrustedProxies;
  /** The host names of this server beside that of publicUrl; `localhost`: every name of this machine. */
  readonly allowedHosts: readonly string[];
  /** The origins whose pages may call the API; `localhost`: all of the visitor's own machine; `*`: all. */
  readonly corsOrigins: readonly string[];
  readonly databaseUrl: string;
  /** Whether webhooks may go to addresses that are not public. */
  readonly webhookAllowPrivate: boolean;
  /** Divides planned travel times. */
  readonly simulationSpeed: number;
  readonly rateLimitMultiplier: number;
  /** How long a server that was told to stop still serves, as not ready, so that nobody sends it new requests. */
  readonly drainMs: number;
  readonly logLevel: string;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const DEVELOPMENT_SPEED = 60;
/** Load balancers ask every few seconds whether a server is ready. */
const PRODUCTION_DRAIN_SECONDS = 5;
const MOST_DRAIN_SECONDS = 3600;

const positive = makeValidator<number>((input) => {
  const value = Number(input);
  if (input.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new TypeError();
});

const seconds = makeValidator<number>((input) => {
  const value = Number(input);
  if (/^\d+(\.\d+)?$/.test(input) && value <= MOST_DRAIN_SECONDS) return value;
  throw new TypeError();
});

/** A scheme, a host and a port: pages link from the root, so a path would break them. */
const originOf = (scheme: RegExp) =>
  makeValidator<string>((input) => {
    const url = URL.canParse(input) ? new URL(input) : undefined;
    if (url && scheme.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
    throw new TypeError();
  });

const origin = originOf(/^https?:$/);
const secureOrigin = originOf(/^https:$/);

/** Origins, separated by commas. */
const origins = makeValidator<readonly string[]>((input) => {
  const names = input.split(',').map((name) => name.trim());
  const isOrigin = (name: string) => URL.canParse(name) && /^https?:\/\/./.test(name) && new URL(name).origin === name;
  if (names.every((name) => name === '*' || name === 'localhost' || isOrigin(name))) return names;
  throw new TypeError();
});

/** Names of hosts, separated by commas. Each is a whole name: whoever gets a name below a wildcard would be let in. */
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

/** The number of proxies, or their addresses. Express validates the value. */
const proxies = makeValidator<NonNullable<TrustedProxies>>((input) => {
  const value = /^\d+$/.test(input) ? Number(input) : input;
  express().set('trust proxy', value);
  return value;
});

/** A variable that has one value in production. */
const onlyOne = makeValidator<number>((input) => {
  if (input === '1') return 1;
  throw new TypeError();
});

const boolean = makeValidator<boolean>((input) => {
  if (input === 'true' || input === 'false') return input === 'true';
  throw new TypeError();
});

const onlyFalse = makeValidator<boolean>((input) => {
  if (input === 'false') return false;
  throw new TypeError();
});

/** The variables. `desc` says what each must be, as errors repeat it. */
export function specsOf(isProduction: boolean) {
  const factor = isProduction ? onlyOne : positive;
  const aFactor = isProduction ? '1 in production' : 'a number greater than 0';
  return {
    NODE_ENV: str({
      choices: ['development', 'test', 'production'],
      default: 'development',
      desc: 'development, test or production',
    }),
    PORT: port({ default: 8080, desc: 'a port number from 1 to 65535' }),
    HOST: str({ default: isProduction ? '0.0.0.0' : '127.0.0.1', desc: 'an address to listen on' }),
    PUBLIC_URL: isProduction
      ? secureOrigin({ desc: 'the https URL where clients reach the server, such as https://rides.example.com' })
      : origin({ default: undefined, desc: 'a URL of http or https without a path, such as http://localhost:8080' }),
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
      desc: 'origins separated by commas, such as https://app.example.com, or localhost for all of this machine, or *',
    }),
    DEMO: isProduction
      ? onlyFalse({ default: undefined, desc: 'false in production, because the demo credentials are public' })
      : boolean({ default: undefined, desc: 'true or false' }),
    DATABASE_URL: databaseUrl({
      default: 'file:./data/ridehail.db',
      desc: 'file: and a path, or postgres://user@host/database',
    }),
    WEBHOOK_ALLOW_PRIVATE: bool({ default: !isProduction, desc: 'true or false' }),
    SIMULATION_SPEED: factor({ default: isProduction ? 1 : DEVELOPMENT_SPEED, desc: aFactor }),
    RATE_LIMIT_MULTIPLIER: factor({ default: 1, desc: aFactor }),
    DRAIN_SECONDS: seconds({
      default: isProduction ? PRODUCTION_DRAIN_SECONDS : 0,
      desc: `a number from 0 to ${MOST_DRAIN_SECONDS}`,
    }),
    LOG_LEVEL: str({ choices: LOG_LEVELS, default: 'info', desc: `one of ${LOG_LEVELS.join(', ')}` }),
  };
}

/** Throws an Error that names every variable at fault, and says what each must be. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const isProduction = environment.NODE_ENV === 'production';
  const specs = specsOf(isProduction);
  const env = cleanEnv(environment, specs, {
    reporter: ({ errors }) => refuse(Object.keys(errors) as (keyof typeof specs)[], environment, specs),
  });
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`;
  return {
    isProduction,
    hasDemo: env.DEMO ?? (!isProduction && isPrivate({ host: env.HOST, publicUrl })),
    port: env.PORT,
    host: env.HOST,
    publicUrl,
    trustedProxies: env.TRUST_PROXY ?? null,
    allowedHosts: [...(isProduction ? [] : ['localhost']), ...env.ALLOWED_HOSTS],
    corsOrigins: env.CORS_ORIGINS,
    databaseUrl: env.DATABASE_URL,
    webhookAllowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
    simulationSpeed: env.SIMULATION_SPEED,
    rateLimitMultiplier: env.RATE_LIMIT_MULTIPLIER,
    drainMs: env.DRAIN_SECONDS * SECOND_MS,
    logLevel: env.LOG_LEVEL,
  };
}

/** Whether only this machine reaches the server. */
export function isPrivate({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): boolean {
  return isLoopback(host.toLowerCase()) && isLoopback(new URL(publicUrl).hostname);
}

/** The database alone, for commands that need no server. Throws as readConfig does. */
export function readDatabaseUrl(environment: NodeJS.ProcessEnv): string {
  const { DATABASE_URL } = specsOf(false);
  const specs = { DATABASE_URL };
  return cleanEnv(environment, specs, {
    reporter: ({ errors }) => refuse(Object.keys(errors) as (keyof typeof specs)[], environment, specs),
  }).DATABASE_URL;
}

/** Warnings about settings that are allowed but risky, a sentence each. */
export function warningsAbout(config: Config): string[] {
  const warnings = [];
  if (config.isProduction && config.webhookAllowPrivate) {
    warnings.push(
      'WEBHOOK_ALLOW_PRIVATE is true: whoever sets a webhook URL can have this server send requests into its own network',
    );
  }
  if (config.hasDemo && !isPrivate(config)) {
    warnings.push(
      'DEMO is true: whoever reaches this server can act as the demo application and passengers, whose credentials are public',
    );
  }
  return warnings;
}

/** A URL of a database can hold a password, so errors do not repeat it. */
const SECRET: readonly string[] = ['DATABASE_URL'];

function refuse<Name extends string>(
  names: readonly Name[],
  environment: NodeJS.ProcessEnv,
  specs: Readonly<Record<Name, { readonly desc?: string }>>,
): void {
  if (names.length === 0) return;
  const problems = names.map((name) => {
    const value = environment[name];
    const { desc } = specs[name];
    if (value === undefined) return `${name} is not set. It must be ${desc}.`;
    return SECRET.includes(name)
      ? `${name} must be ${desc}.`
      : `${name} must be ${desc}, not ${JSON.stringify(value)}.`;
  });
  throw new Error(['Configuration:', ...problems].join('\n  '));
}
