import { type Contract, type LocatedOperation, type Operation, partsOf, type RateLimit } from '../contract/bundle.ts';
import { mapValues } from './bundle/map-schemas.ts';
import { failuresOf } from './failures.ts';

/** What the server needs to know about an operation at run time. */
export interface Route {
  method: string;
  path: string;
  expressPath: string;
  tag: string;
  summary: string;
  security: { scheme: string; scopes: string[] }[];
  rateLimit: { bucket: string; limit: number; windowSeconds: number } | null;
  grantRateLimits: Record<string, NonNullable<Route['rateLimit']>>;
  requestMediaTypes: string[];
  deprecatedFields: Record<string, string | null>;
  successStatus: number;
  successMediaType: string | null;
  statuses: number[];
  redirectErrors: string[];
  failures: Record<string, number>;
  retryAfterSeconds: Record<string, unknown>;
  isNeverStored: boolean;
}

export function routeOf(contract: Contract, located: LocatedOperation): Route {
  const { method, path, operation, body } = located;
  const statuses = Object.keys(operation.responses).map(Number);
  const limit = operation['x-rate-limit'];
  const successStatus = successStatusOf(operation, statuses);
  const responses = Object.entries(operation.responses);
  const success = operation.responses[successStatus]!;
  const waits = responses.map(([status, { headers }]) => [status, headers?.['Retry-After']?.example] as const);
  return {
    method,
    path,
    expressPath: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    tag: operation.tags[0] ?? '',
    summary: operation.summary,
    security: securityOf(contract, operation),
    rateLimit: limit ? limitOf(limit) : null,
    grantRateLimits: mapValues(operation['x-grant-rate-limits'] ?? {}, limitOf),
    requestMediaTypes: body?.mediaTypes ?? [],
    deprecatedFields: deprecatedFieldsOf(located),
    successStatus,
    successMediaType: Object.keys(success.content ?? {})[0] ?? null,
    statuses,
    redirectErrors: responses.flatMap(([, response]) => response['x-errors'] ?? []),
    failures: failuresOf(operation),
    retryAfterSeconds: Object.fromEntries(waits.filter(([, wait]) => wait !== undefined)),
    isNeverStored: Object.hasOwn(success.headers ?? {}, 'Cache-Control'),
  };
}

export function limitOf({ bucket, limit, window_seconds: windowSeconds }: RateLimit): NonNullable<Route['rateLimit']> {
  return { bucket, limit, windowSeconds };
}

/** Returns the query parameters with a default, for which a handler always gets a value. */
export function defaultedQueryOf({ parameters }: LocatedOperation): string[] {
  return parameters
    .filter((parameter) => parameter.in === 'query' && parameter.schema.default !== undefined)
    .map((parameter) => parameter.name);
}

function securityOf(contract: Contract, operation: Operation): Route['security'] {
  return (operation.security ?? contract.security ?? []).map((requirement) => {
    const schemes = Object.entries(requirement);
    if (schemes.length !== 1)
      throw new Error(`${operation.operationId} combines schemes in one security requirement, which is not supported`);
    const [scheme, scopes] = schemes[0]!;
    return { scheme, scopes };
  });
}

function successStatusOf(operation: Operation, statuses: number[]): number {
  const success = statuses.find((status) => status < 400);
  if (!success) throw new Error(`${operation.operationId} declares no success status`);
  return success;
}

/** Returns when each deprecated parameter and body property was deprecated, by its name. */
function deprecatedFieldsOf({ parameters, body }: LocatedOperation): Route['deprecatedFields'] {
  const properties = body ? partsOf(body.schema).flatMap((part) => Object.entries(part.properties ?? {})) : [];
  const fields = [...parameters.map((parameter) => [parameter.name, parameter] as const), ...properties];
  const deprecated = fields.filter(([, declared]) => declared.deprecated);
  return Object.fromEntries(deprecated.map(([name, declared]) => [name, declared['x-deprecated-since'] ?? null]));
}
