import { bool, cleanEnv, makeValidator, port, str } from 'envalid';
import express from 'express';
import type { TrustedProxies } from './parts.ts';

/** The settings of a server, read from its environment. */
export interface Config {
  readonly isProduction: boolean;
  readonly port: number;
  readonly host: string;
  /** Where clients reach this server, without a slash at the end. */
  readonly publicUrl: string;
  readonly trustedProxies: TrustedProxies;
  readonly databaseUrl: string;
  /** Whether webhooks may go to addresses that are not public. */
  readonly webhookAllowPrivate: boolean;
  /** Divides planned travel times. */
  readonly simulationSpeed: number;
  readonly rateLimitMultiplier: number;
  readonly logLevel: string;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const DEVELOPMENT_SPEED = 60;

const positive = makeValidator<number>((input) => {
  const value = Number(input);
  if (input.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new TypeError('must be a number greater than 0');
});

/** A scheme, a host and a port: pages link from the root, so a path would break them. */
const origin = makeValidator<string>((input) => {
  const url = URL.canParse(input) ? new URL(input) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new TypeError('must be a URL of http or https without a path, such as https://rides.example.com');
});

/** The number of proxies, or their addresses. Express validates the value. */
const proxies = makeValidator<NonNullable<TrustedProxies>>((input) => {
  const value = /^\d+$/.test(input) ? Number(input) : input;
  try {
    express().set('trust proxy', value);
    return value;
  } catch {
    throw new TypeError('must be a number of proxies, or their addresses and subnets, such as 10.0.0.0/8, 192.0.2.7');
  }
});

/** Throws an Error that names every variable at fault. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const isProduction = environment.NODE_ENV === 'production';
  const env = cleanEnv(
    environment,
    {
      NODE_ENV: str({ choices: ['development', 'test', 'production'], default: 'development' }),
      PORT: port({ default: 8080 }),
      HOST: str({ default: isProduction ? '0.0.0.0' : '127.0.0.1' }),
      PUBLIC_URL: isProduction ? origin() : origin({ default: undefined }),
      TRUST_PROXY: proxies({ default: undefined }),
      DATABASE_URL: str({ default: 'file:./data/ridehail.db' }),
      WEBHOOK_ALLOW_PRIVATE: bool({ default: !isProduction }),
      SIMULATION_SPEED: positive({ default: isProduction ? 1 : DEVELOPMENT_SPEED }),
      RATE_LIMIT_MULTIPLIER: positive({ default: 1 }),
      LOG_LEVEL: str({ choices: LOG_LEVELS, default: 'info' }),
    },
    { reporter: ({ errors }) => refuse(Object.entries(errors).map(([name, error]) => `${name}: ${error?.message}`)) },
  );
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`;
  if (isProduction) {
    if (!publicUrl.startsWith('https://')) refuse(['PUBLIC_URL: must be https in production']);
    if (env.RATE_LIMIT_MULTIPLIER !== 1) refuse(['RATE_LIMIT_MULTIPLIER: must be 1 in production']);
    if (env.SIMULATION_SPEED !== 1) refuse(['SIMULATION_SPEED: must be 1 in production']);
  }
  return {
    isProduction,
    port: env.PORT,
    host: env.HOST,
    publicUrl,
    trustedProxies: env.TRUST_PROXY ?? null,
    databaseUrl: env.DATABASE_URL,
    webhookAllowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
    simulationSpeed: env.SIMULATION_SPEED,
    rateLimitMultiplier: env.RATE_LIMIT_MULTIPLIER,
    logLevel: env.LOG_LEVEL,
  };
}

/** Warnings about settings that are allowed but risky, a sentence each. */
export function warningsAbout({ isProduction, webhookAllowPrivate }: Config): string[] {
  if (!isProduction || !webhookAllowPrivate) return [];
  return [
    'WEBHOOK_ALLOW_PRIVATE is true: whoever sets a webhook URL can have this server send requests into its own network',
  ];
}

function refuse(problems: string[]): void {
  if (problems.length > 0) throw new Error(`Configuration: ${problems.join('; ')}`);
}
