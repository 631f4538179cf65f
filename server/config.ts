import { cleanEnv, type ValidatorSpec } from 'envalid';
import { isLoopback } from './domain/loopback.ts';
import { own } from './domain/own.ts';
import { SECOND_MS } from './domain/time.ts';
import type { OperatorSettings } from './operator/command.ts';
import { modeOf, specsOf } from './variables.ts';

/**
 * How long requests and webhooks in progress may take during a shutdown. Longer than a webhook attempt's timeout, so
 * that the attempt can be recorded and the call that advances a clock gets its response.
 * @beyond their connections are closed
 * @heldBy tests/process/life.test.ts
 */
export const MOST_CLOSING_MS = 12 * SECOND_MS;
/**
 * How long the rest of a shutdown may take, such as closing an unresponsive database.
 * @beyond the process exits with 1
 * @heldBy tests/process/database-trouble.test.ts
 */
export const MOST_ENDING_MS = 3 * SECOND_MS;

export type Config = ReturnType<typeof readConfig>;

/** Throws an Error that names every invalid variable and says what it must be. */
export function readConfig(sent: NodeJS.ProcessEnv) {
  const environment = withoutEmpty(sent);
  const mode = modeOf(environment);
  const isProduction = mode !== 'development';
  const env = cleaned(environment, specsOf(mode));
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`;
  return {
    /** Also true in a benchmark, which uses the settings of production. */
    isProduction,
    hasDemo: env.DEMO ?? (!isProduction && isPrivate({ host: env.HOST, publicUrl })),
    port: env.PORT,
    host: env.HOST,
    publicUrl,
    trustedProxies: env.TRUST_PROXY ?? null,
    allowedHosts: [...(isProduction ? [] : ['localhost']), ...env.ALLOWED_HOSTS],
    corsOrigins: env.CORS_ORIGINS,
    databaseUrl: env.DATABASE_URL,
    /** The Redis with the shared counts; null: each server counts separately. */
    redisUrl: env.REDIS_URL ?? null,
    /** Whether webhooks may be sent to addresses that are not public. */
    webhookAllowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
    simulationSpeed: env.SIMULATION_SPEED,
    rateLimitMultiplier: env.RATE_LIMIT_MULTIPLIER,
    callsAtOnce: { running: env.MAX_CONCURRENT_CALLS, waiting: env.MAX_WAITING_CALLS },
    /** How long the server still serves after a stop signal, so that load balancers can notice that it is not ready. */
    drainMs: env.DRAIN_SECONDS * SECOND_MS,
    connections: {
      maxConnections: env.MAX_CONNECTIONS,
      maxRequestsPerConnection: env.MAX_REQUESTS_PER_CONNECTION,
      maxPipelinedRequests: env.MAX_PIPELINED_REQUESTS,
    },
    portalSignUp: env.PORTAL_SIGN_UP,
    /** Where metrics are served; null: disabled. */
    metrics: env.METRICS_PORT === undefined ? null : { port: env.METRICS_PORT, host: env.METRICS_HOST },
    /** The collector's URL, without a trailing slash; null: no traces. */
    tracesUrl: env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    /** Whether the portal shows developers the requests of their applications. */
    hasRequestLog: env.REQUEST_LOG,
    logLevel: env.LOG_LEVEL,
  };
}

/** Whether the server is reachable only from this machine. */
export function isPrivate({ host, publicUrl }: { readonly host: string; readonly publicUrl: string }): boolean {
  return isLoopback(host.toLowerCase()) && isLoopback(new URL(publicUrl).hostname);
}

/** Reads only the database URL, for commands that need no server. Throws like readConfig. */
export function readDatabaseUrl(environment: NodeJS.ProcessEnv): string {
  const { DATABASE_URL } = specsOf('development');
  return cleaned(withoutEmpty(environment), { DATABASE_URL }).DATABASE_URL;
}

/** Reads only the settings for operators' commands. Throws like readConfig. */
export function readOperatorSettings(sent: NodeJS.ProcessEnv): OperatorSettings {
  const environment = withoutEmpty(sent);
  const mode = modeOf(environment);
  const isProduction = mode !== 'development';
  const { NODE_ENV, PORT, DATABASE_URL, WEBHOOK_ALLOW_PRIVATE, PORTAL_SIGN_UP, PUBLIC_URL } = specsOf(mode);
  const isNamed = environment.PUBLIC_URL !== undefined;
  const always = { NODE_ENV, PORT, DATABASE_URL, WEBHOOK_ALLOW_PRIVATE, PORTAL_SIGN_UP };
  const env = cleaned(environment, { ...always, ...(isNamed && { PUBLIC_URL }) });
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

/** Compose files and CI systems set a variable without a value to an empty text. */
function withoutEmpty(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}

/** These URLs can contain a password, so errors do not repeat them. */
const SECRET: readonly string[] = ['DATABASE_URL', 'REDIS_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT'];

/** Throws an Error that names every invalid variable. */
function cleaned<Specs extends Readonly<Record<string, ValidatorSpec<unknown>>>>(
  environment: NodeJS.ProcessEnv,
  specs: Specs,
) {
  return cleanEnv(environment, specs, {
    reporter: ({ errors }) => {
      const problems = Object.keys(errors).map((name) => {
        const value = own(environment, name);
        const { desc } = own<ValidatorSpec<unknown>>(specs, name)!;
        if (value === undefined) return `${name} is not set. It must be ${desc}.`;
        return `${name} must be ${desc}${SECRET.includes(name) ? '' : `, not ${JSON.stringify(value)}`}.`;
      });
      if (problems.length > 0) throw new Error(['Configuration:', ...problems].join('\n  '));
    },
  });
}
