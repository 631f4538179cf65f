import {
  type Contract,
  type Deprecable,
  type LocatedOperation,
  type Operation,
  resolve,
  type Schema,
} from './contract.ts';
import { failuresOf } from './failures.ts';

/** What the server needs to know of an operation at run time. */
export interface Route {
  method: string;
  path: string;
  expressPath: string;
  tag: string;
  summary: string;
  security: { scheme: string; scopes: string[] }[];
  rateLimit: { bucket: string; limit: number; windowSeconds: number } | null;
  requestMediaTypes: string[];
  deprecatedFields: Record<string, string | null>;
  successStatus: number;
  successMediaType: string | null;
  statuses: number[];
  redirectErrors: string[];
  failures: Record<string, number>;
}

export function routeOf(contract: Contract, located: LocatedOperation): Route {
  const { method, path, operation } = located;
  const statuses = Object.keys(operation.responses).map(Number);
  const limit = operation['x-rate-limit'];
  const successStatus = successStatusOf(operation, statuses);
  const responses = statuses.map((status) => resolve(contract, operation.responses[status]!));
  const success = resolve(contract, operation.responses[successStatus]!);
  return {
    method,
    path,
    expressPath: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    tag: operation.tags[0] ?? '',
    summary: operation.summary,
    security: securityOf(contract, operation),
    rateLimit: limit ? { bucket: limit.bucket, limit: limit.limit, windowSeconds: limit.window_seconds } : null,
    requestMediaTypes: operation.requestBody ? Object.keys(resolve(contract, operation.requestBody).content) : [],
    deprecatedFields: deprecatedFieldsOf(contract, located),
    successStatus,
    successMediaType: Object.keys(success.content ?? {})[0] ?? null,
    statuses,
    redirectErrors: responses.flatMap((response) => response['x-errors'] ?? []),
    failures: failuresOf(contract, operation),
  };
}

/** Names of query parameters for which the contract gives a default: a handler always finds them filled in. */
export function defaultedQueryOf(contract: Contract, { parameters }: LocatedOperation): string[] {
  return parameters
    .filter((parameter) => parameter.in === 'query' && parameter.schema)
    .filter((parameter) => resolve(contract, parameter.schema!).default !== undefined)
    .map((parameter) => parameter.name);
}

function securityOf(contract: Contract, operation: Operation): Route['security'] {
  return (operation.security ?? contract.security ?? []).map((requirement) => {
    const schemes = Object.entries(requirement);
    if (schemes.length !== 1) throw new Error(`${operation.operationId}: one scheme per security requirement, please`);
    const [scheme, scopes] = schemes[0]!;
    return { scheme, scopes };
  });
}

function successStatusOf(operation: Operation, statuses: number[]): number {
  const success = statuses.find((status) => status < 400);
  if (!success) throw new Error(`${operation.operationId} declares no way to succeed`);
  return success;
}

/** Deprecated query parameters and request body properties: name to the instant since which they are. */
function deprecatedFieldsOf(
  contract: Contract,
  { operation, parameters }: LocatedOperation,
): Route['deprecatedFields'] {
  const fields: Route['deprecatedFields'] = {};
  for (const parameter of parameters) noteDeprecation(fields, parameter.name, parameter);
  if (!operation.requestBody) return fields;
  for (const { schema } of Object.values(resolve(contract, operation.requestBody).content)) {
    if (schema) noteDeprecatedProperties(contract, resolve(contract, schema), fields);
  }
  return fields;
}

function noteDeprecatedProperties(contract: Contract, schema: Schema, fields: Route['deprecatedFields']): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    noteDeprecation(fields, name, resolve(contract, property));
  }
  for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? [])]) {
    noteDeprecatedProperties(contract, resolve(contract, part), fields);
  }
}

function noteDeprecation(fields: Route['deprecatedFields'], name: string, declared: Deprecable): void {
  if (declared.deprecated) fields[name] = declared['x-deprecated-since'] ?? null;
}
