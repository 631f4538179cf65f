/** The parts of a bundled OpenAPI document that the generator reads. Every $ref in a bundle points into the bundle. */

export const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
export type Method = (typeof METHODS)[number];

interface Ref {
  $ref: string;
}
type Maybe<T> = T | Ref;

export interface Deprecable {
  deprecated?: boolean;
  /** ISO 8601. */
  'x-deprecated-since'?: string;
}

export interface Schema extends Deprecable {
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  properties?: Record<string, Maybe<Schema>>;
  allOf?: Maybe<Schema>[];
  oneOf?: Maybe<Schema>[];
}

export interface Example {
  summary?: string;
  value: unknown;
  /** Of a failure: how to come by it in a sandbox. */
  'x-sandbox-recipe'?: string;
}

export interface MediaType {
  schema?: Maybe<Schema>;
  examples?: Record<string, Maybe<Example>>;
}

export interface Parameter extends Deprecable {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  schema?: Maybe<Schema>;
  example?: unknown;
  examples?: Record<string, Maybe<Example>>;
}

export interface Response {
  description: string;
  headers?: Record<string, Maybe<{ schema?: Maybe<Schema> }>>;
  content?: Record<string, MediaType>;
  /** The codes that an application is sent back with (RFC 6749, section 4.1.2.1). */
  'x-errors'?: string[];
  /** How to come by its codes that have no body, and so no example. */
  'x-sandbox-recipes'?: Record<string, string>;
}

export interface RequestBody {
  required?: boolean;
  content: Record<string, MediaType>;
}

/** A way to call an operation, in a language. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: Record<string, string[]>[];
  parameters?: Maybe<Parameter>[];
  requestBody?: Maybe<RequestBody>;
  responses: Record<string, Maybe<Response>>;
  'x-rate-limit'?: { bucket: string; limit: number; window_seconds: number };
  'x-no-rate-limit'?: string;
  'x-codeSamples'?: CodeSample[];
}

type PathItem = { parameters?: Maybe<Parameter>[] } & { [M in Method]?: Operation };

export interface Contract {
  openapi: string;
  info: {
    'x-request-limits'?: Record<'head_bytes' | 'headers' | 'head_seconds' | 'seconds', number>;
    'x-failures'?: Record<string, number>;
  };
  servers?: { url: string }[];
  tags?: { name: string; description: string }[];
  paths?: Record<string, PathItem>;
  webhooks?: Record<string, Maybe<PathItem>>;
  security?: Record<string, string[]>[];
  components?: Record<string, Record<string, unknown>>;
}

/** An operation with where it stands, and the parameters of its path beside its own. */
export interface LocatedOperation {
  method: Method;
  path: string;
  operation: Operation;
  parameters: Parameter[];
}

/** Follows $refs within the contract until something else stands there. */
export function resolve<T extends object>(contract: Contract, value: Maybe<T>): T {
  let found: unknown = value;
  while (isRef(found)) found = lookUp(contract, found.$ref);
  return found as T;
}

function isRef(value: unknown): value is Ref {
  return typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string';
}

function lookUp(contract: Contract, ref: string): unknown {
  if (!ref.startsWith('#/')) throw new Error(`${ref} points out of the bundle`);
  const keys = ref
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
  let found: unknown = contract;
  for (const key of keys) found = (found as Record<string, unknown> | undefined)?.[key];
  if (found === undefined) throw new Error(`${ref} points at nothing`);
  return found;
}

/** Every operation under `paths`, in the contract's own order. */
export function operationsOf(contract: Contract): LocatedOperation[] {
  return Object.entries(contract.paths ?? {}).flatMap(([path, item]) => operationsAt(contract, path, item));
}

/** Every operation under `webhooks`; `path` is the webhook's name. */
export function webhooksOf(contract: Contract): LocatedOperation[] {
  return Object.entries(contract.webhooks ?? {}).flatMap(([name, item]) =>
    operationsAt(contract, name, resolve(contract, item)),
  );
}

function operationsAt(contract: Contract, path: string, item: PathItem): LocatedOperation[] {
  return METHODS.flatMap((method) => {
    const operation = item[method];
    if (!operation) return [];
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
    return [{ method, path, operation, parameters: parameters.map((parameter) => resolve(contract, parameter)) }];
  });
}
