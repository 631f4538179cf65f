import { cleanEnv } from 'envalid';
import { isLoopback } from './domain/loopback.ts';
import { SECOND_MS } from './domain/time.ts';
import type { ConnectionLimits } from './http/connections.ts';
import type { OperatorSettings } from './operator/command.ts';
import type { CallsAtOnce, PortalSignUp, TrustedProxies } from './parts.ts';
import { modeOf, specsOf } from './variables.ts';

/**
 * How long requests and webhooks in progress may take during a shutdown. Longer than a webhook attempt's timeout, so
 * that the attempt can be recorded and the call that advances a clock gets its response.
 */
export const MOST_CLOSING_MS = 12 * SECOND_MS;
/** How long the rest of a shutdown may take, such as closing an unresponsive database. */
export const MOST_ENDING_MS = 3 * SECOND_MS;

export interface Config {
  /** Also true in a benchmark, which uses the settings of production. */
  readonly isProduction: boolean;
  /** Whether the server has the demo application and passengers, whose credentials are public. */
  readonly hasDemo: boolean;
  readonly port: number;
  readonly host: string;
  /** The URL where clients reach this server, without a trailing slash. */
  readonly publicUrl: string;
  readonly trustedProxies: TrustedProxies;
  /**
   * Further host names of this server, in addition to the one in publicUrl; `localhost`: every name of this machine.
   */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call the API; `localhost`: all origins on the visitor's own machine; `*`: all. */
  readonly corsOrigins: readonly string[];
  readonly databaseUrl: string;
  /** The Redis with the shared counts; null: each server counts separately. */
  readonly redisUrl: string | null;
  /** Whether webhooks may be sent to addresses that are not public. */
  readonly webhookAllowPrivate: boolean;
  /** Divides planned travel times. */
  readonly simulationSpeed: number;
  readonly rateLimitMultiplier: number;
  readonly callsAtOnce: CallsAtOnce;
  /**
   * After a stop signal, how long the server keeps serving while it reports that it is not ready, so that load
   * balancers stop sending requests.
   */
  readonly drainMs: number;
  readonly connections: Omit<ConnectionLimits, 'writeTimeout'>;
  readonly portalSignUp: PortalSignUp;
  /** Where metrics are served; null: disabled. */
  readonly metrics: { readonly port: number; readonly host: string } | null;
  /** The collector's URL, without a trailing slash; null: no traces. */
  readonly tracesUrl: string | null;
  readonly logLevel: string;
}

/** Throws an Error that names every invalid variable and says what it must be. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const mode = modeOf(environment);
  const isProduction = mode !== 'development';
  const specs = specsOf(mode);
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
    redisUrl: env.REDIS_URL ?? null,
    webhookAllowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
    simulationSpeed: env.SIMULATION_SPEED,
    rateLimitMultiplier: env.RATE_LIMIT_MULTIPLIER,
    callsAtOnce: { running: env.MAX_CONCURRENT_CALLS, waiting: env.MAX_WAITING_CALLS },
    drainMs: env.DRAIN_SECONDS * SECOND_MS,
    connections: {
      maxConnections: env.MAX_CONNECTIONS,
      maxRequestsPerConnection: env.MAX_REQUESTS_PER_CONNECTION,
      maxPipelinedRequests: env.MAX_PIPELINED_REQUESTS,
    },
    portalSignUp: env.PORTAL_SIGN_UP,
    metrics: env.METRICS_PORT === undefined ? null : { port: env.METRICS_PORT, host: env.METRICS_HOST },
    tracesUrl: env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    logLevel: env.LOG_LEVEL,
  };
}

/** Whether the server is reachable only from this machine. */
export function isPrivate({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): boolean {
  return isLoopback(host.toLowerCase()) && isLoopback(new URL(publicUrl).hostname);
}

/** Reads only the database URL, for commands that need no server. Throws like readConfig. */
export function readDatabaseUrl(environment: NodeJS.ProcessEnv): string {
  const { DATABASE_URL } = specsOf('development');
  const specs = { DATABASE_URL };
  return cleanEnv(environment, specs, {
    reporter: ({ errors }) => refuse(Object.keys(errors) as (keyof typeof specs)[], environment, specs),
  }).DATABASE_URL;
}

/** Reads only the settings for operators' commands. Throws like readConfig. */
export function readOperatorSettings(environment: NodeJS.ProcessEnv): OperatorSettings {
  const mode = modeOf(environment);
  const isProduction = mode !== 'development';
  const { NODE_ENV, PORT, DATABASE_URL, WEBHOOK_ALLOW_PRIVATE, PORTAL_SIGN_UP, PUBLIC_URL } = specsOf(mode);
  const isNamed = environment.PUBLIC_URL !== undefined;
  const always = { NODE_ENV, PORT, DATABASE_URL, WEBHOOK_ALLOW_PRIVATE, PORTAL_SIGN_UP };
  const specs = { ...always, ...(isNamed && { PUBLIC_URL }) };
  const env = cleanEnv(environment, specs, {
    reporter: ({ errors }) => refuse(Object.keys(errors) as (keyof typeof specs)[], environment, specs as never),
  });
  const ownUrl = isProduction ? null : `http://localhost:${env.PORT}`;
  return {
    databaseUrl: env.DATABASE_URL,
    // envalid throws when code reads a variable that is not in the specs
    publicUrl: isNamed ? (env.PUBLIC_URL ?? ownUrl) : ownUrl,
    webhookTargets: { allowPrivate: env.WEBHOOK_ALLOW_PRIVATE, requireHttps: isProduction },
    portalSignUp: env.PORTAL_SIGN_UP,
  };
}

/** Warnings about allowed but risky settings, one sentence each. */
export function warningsAbout(config: Config): string[] {
  const warnings = [];
  if (config.isProduction && config.webhookAllowPrivate) {
    warnings.push(
      'WEBHOOK_ALLOW_PRIVATE is true: anyone who sets a webhook URL can make this server send requests into its own network',
    );
  }
  if (config.hasDemo && !isPrivate(config)) {
    warnings.push(
      'DEMO is true: anyone who can reach this server can act as the demo application and passengers, whose credentials are public',
    );
  }
  return warnings;
}

/** These URLs can contain a password, so errors do not repeat them. */
const SECRET: readonly string[] = ['DATABASE_URL', 'REDIS_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT'];

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
