/** Types and readers of a bundled OpenAPI document. Every $ref in a bundle points into the bundle. */

export const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
export type Method = (typeof METHODS)[number];

/** `$ref` names a component: `#/components/schemas/Ride`. */
interface Component {
  readonly $ref?: string;
}

interface Deprecable {
  deprecated?: boolean;
  /** ISO 8601. */
  'x-deprecated-since'?: string;
}

export interface Schema extends Component, Deprecable {
  description?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: (string | null)[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: Schema;
  minProperties?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  /** The earliest accepted instant, ISO 8601. */
  'x-earliest'?: string;
  /** For a body field: the values that mean the same as omitting it. Default: null if the field is optional. */
  'x-absent'?: (null | '')[];
}

export interface Example extends Component {
  summary?: string;
  value: unknown;
  /** For a failure: how to cause it in a sandbox. */
  'x-sandbox-recipe'?: string;
}

export interface MediaType {
  schema?: Schema;
  examples?: Record<string, Example>;
}

export interface Parameter extends Component, Deprecable {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
  example?: unknown;
  examples?: Record<string, Example>;
}

export interface Header extends Component {
  schema?: Schema;
  example?: unknown;
  /** Only some responses have it. */
  'x-absent-by-default'?: boolean;
}

export interface Response extends Component {
  description: string;
  headers?: Record<string, Header>;
  content?: Record<string, MediaType>;
  /** The error codes of a redirect to the application (RFC 6749, section 4.1.2.1). */
  'x-errors'?: string[];
  /** How to cause the errors that have no body and so no example, by code. */
  'x-sandbox-recipes'?: Record<string, string>;
}

interface RequestBody {
  required?: boolean;
  content: Record<string, MediaType>;
}

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
  parameters?: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, Response>;
  'x-rate-limit'?: RateLimit;
  /** How often to repeat the call while watching what it returns. */
  'x-poll-seconds'?: number;
  'x-grant-rate-limits'?: Record<string, RateLimit>;
  'x-no-rate-limit'?: string;
  /** The example that a test of a webhook URL sends. */
  'x-test-event'?: string;
  'x-advance-limits'?: { steps: number; seconds: number };
  /** Unknown query parameters are ignored. */
  'x-open-query'?: boolean;
  'x-codeSamples'?: CodeSample[];
}

/** Calls in a window. Operations with the same bucket share a count. */
export interface RateLimit {
  bucket: string;
  limit: number;
  window_seconds: number;
}

/** What the documentation says about an error code. */
export interface ErrorTexts {
  means: string;
  retry: string;
  do: string;
}

type PathItem = { parameters?: Parameter[] } & { [M in Method]?: Operation };

export interface Contract {
  openapi: string;
  info: {
    version: string;
    summary?: string;
    description: string;
    'x-request-limits'?: Record<'head_bytes' | 'headers' | 'head_seconds' | 'seconds' | 'unread_seconds', number>;
    'x-calls-at-once'?: Record<'running' | 'waiting', number>;
    'x-sandbox-limit'?: RateLimit;
    'x-resend-limits'?: Record<'events', number>;
    'x-world-limits'?: Record<'worlds' | 'days' | 'passengers' | 'rides' | 'events' | 'bytes', number>;
    'x-consent-limits'?: Record<'access_tokens' | 'consents', number>;
    'x-refresh-tokens'?: Record<'unused_days' | 'grace_seconds', number>;
    'x-kept'?: Record<'ride_days' | 'map_hours', number>;
    'x-failures'?: Record<string, number>;
  };
  servers?: { url: string }[];
  tags?: { name: string; description: string }[];
  paths?: Record<string, PathItem>;
  webhooks?: Record<string, PathItem>;
  security?: Record<string, string[]>[];
  /** Texts by error code. */
  'x-errors'?: Record<string, ErrorTexts>;
  components?: {
    schemas?: Record<string, Schema>;
    parameters?: Record<string, Parameter>;
    examples?: Record<string, Example>;
    responses?: Record<string, Response>;
    securitySchemes?: Record<string, unknown>;
  };
}

export interface Body {
  required: boolean;
  mediaTypes: string[];
  /** All media types have the same schema. */
  schema: Schema;
  examples: Record<string, Example>;
}

/** An operation with its path, parameters and body. */
export interface LocatedOperation {
  id: string;
  method: Method;
  /** For a webhook, its name. */
  path: string;
  operation: Operation;
  /** Including the parameters of its path item. */
  parameters: Parameter[];
  body: Body | null;
}

/** Follows a pointer such as `#/components/schemas/Ride`. Throws an Error if it leads nowhere. */
export function at<T>(document: object, pointer: string): T {
  if (!pointer.startsWith('#/')) throw new Error(`${pointer} points out of the bundle`);
  let found: unknown = document;
  for (const key of keysOf(pointer)) found = (found as Record<string, unknown> | undefined)?.[key];
  if (found === undefined) throw new Error(`${pointer} points at nothing`);
  return found as T;
}

/** The keys of a pointer such as `#/paths/~1v1~1rides/get`. */
export function keysOf(pointer: string): string[] {
  const keys = pointer.split('/').slice(1);
  return keys.map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The last part of a component's pointer: `Ride`. */
export function nameOf({ $ref }: Component): string | undefined {
  return $ref?.split('/').at(-1);
}

/** The operations under `paths`, in the contract's order. */
export function operationsOf({ paths = {} }: Contract): LocatedOperation[] {
  return Object.entries(paths).flatMap(operationsAt);
}

/** The operations under `webhooks`. */
export function webhooksOf({ webhooks = {} }: Contract): LocatedOperation[] {
  return Object.entries(webhooks).flatMap(operationsAt);
}

function operationsAt([path, item]: [path: string, item: PathItem]): LocatedOperation[] {
  return METHODS.flatMap((method) => {
    const operation = item[method];
    if (!operation) return [];
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
    return [{ id: operation.operationId, method, path, operation, parameters, body: bodyOf(operation) }];
  });
}

function bodyOf({ requestBody }: Operation): Body | null {
  if (requestBody === undefined) return null;
  const { required = false, content } = requestBody;
  const { schema = {}, examples = {} } = Object.values(content)[0]!;
  return { required, mediaTypes: Object.keys(content), schema, examples };
}

/** Returns a schema and all schemas that it combines. */
export function partsOf(schema: Schema): Schema[] {
  const { allOf = [], oneOf = [], anyOf = [] } = schema;
  return [schema, ...[...allOf, ...oneOf, ...anyOf].flatMap(partsOf)];
}

export function typesOf({ type = [] }: Schema): string[] {
  return [type].flat();
}
