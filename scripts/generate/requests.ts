import {
  type Contract,
  type LocatedOperation,
  nameOf,
  operationsOf,
  type Parameter,
  partsOf,
  type Schema,
} from '../contract/bundle.ts';

/** The keywords that the server reads itself. The validator reads the others. */
const KEYWORDS = [
  ...(['type', 'format', 'pattern', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength'] as const),
  ...(['minItems', 'maxItems', 'x-earliest', 'additionalProperties', 'properties', 'items'] as const),
];
/** The default of x-absent: null in an optional field means the same as omitting it. */
const ABSENT = [null];

/** Returns the text of generated/requests.ts: what each operation accepts, and which fields of its responses are secret. */
export function requestsModule(contract: Contract): string {
  const components = new Map<string, string>();
  const located = operationsOf(contract);
  const requests = located.map((one) => `${one.id}: ${requestOf(one, components)},`);
  const answers = located.flatMap((one) => {
    const secrets = secretsIn(answerOf(one));
    return secrets === null ? [] : [`${one.id}: ${textOf(secrets, components)},`];
  });
  return [
    `import type { OperationId } from './server.ts';`,
    TYPES,
    ...[...components].map(([name, text]) => `const ${name}: Schema = ${text};`),
    '',
    '/** What each operation accepts. */',
    'export const REQUESTS: Readonly<Record<OperationId, RequestRules>> = {',
    ...requests,
    '};',
    '',
    '/** The secret fields of a response, and the fields that contain them, of each operation that returns any. */',
    'export const SECRETS_IN_ANSWERS: Readonly<Partial<Record<OperationId, Schema>>> = {',
    ...answers,
    '};',
    '',
  ].join('\n');
}

type Components = Map<string, string>;

function requestOf({ operation, parameters, body }: LocatedOperation, components: Components): string {
  const schemasIn = (place: Parameter['in']) => {
    const schemas = parameters.filter((parameter) => parameter.in === place).map(schemaOfParameter);
    return recordOf(schemas, components);
  };
  return `{
    path: ${schemasIn('path')},
    query: ${schemasIn('query')},
    hasOpenQuery: ${operation['x-open-query'] === true},
    body: ${body && textOf(body.schema, components)},
    needsBody: ${body?.required === true},
  }`;
}

/** Any response of an operation, success or failure. */
function answerOf({ operation }: LocatedOperation): Schema {
  const contents = Object.values(operation.responses).flatMap(({ content = {} }) => Object.values(content));
  return { oneOf: contents.map(({ schema = {} }) => schema) };
}

/** The parts of a schema that lead to secrets; null if none does. */
function secretsIn(schema: Schema): Schema | null {
  const parts = partsOf(schema);
  if (parts.some(({ format }) => format === 'password')) return { format: 'password' };
  const [items] = parts.flatMap((part) => (part.items && secretsIn(part.items)) ?? []);
  const fields = parts.flatMap(({ properties = {} }) => Object.entries(properties));
  const secret = fields.flatMap(([name, field]) => {
    const found = secretsIn(field);
    return found === null ? [] : [[name, found] as const];
  });
  if (items === undefined && secret.length === 0) return null;
  // required: a response has no values that mean the same as omitting a field
  const required = secret.map(([name]) => name);
  const properties = required.length > 0 && { properties: Object.fromEntries(secret), required };
  return { ...properties, ...(items && { items }) };
}

/** If a schema is not a component, it gets the name of the parameter's component. */
function schemaOfParameter({ name, $ref, schema }: Parameter): [name: string, schema: Schema] {
  return [name, { $ref, ...schema }];
}

/** Returns a schema as TypeScript. For a component, returns its name and adds its text to `components`. */
function textOf(schema: Schema, components: Components): string {
  const keywords = KEYWORDS.filter((keyword) => schema[keyword] !== undefined).map((keyword) => {
    if (keyword === 'properties') return `properties: ${recordOf(Object.entries(schema.properties!), components)}`;
    if (keyword === 'items') return `items: ${textOf(schema.items!, components)}`;
    return `'${keyword}': ${JSON.stringify(schema[keyword])}`;
  });
  const absent = absentIn(schema);
  const text = `{ ${[...keywords, ...(absent ? [`absent: ${absent}`] : [])].join(', ')} }`;
  const name = nameOf(schema);
  if (name === undefined || (components.get(name) ?? text) !== text) return text;
  components.set(name, text);
  return name;
}

/** Returns the values that mean the same as omitting each property, as TypeScript. Undefined if there are none. */
function absentIn({ properties = {}, required = [] }: Schema): string | undefined {
  const values = Object.entries(properties).flatMap(([name, schema]) => {
    const absent = schema['x-absent'] ?? (required.includes(name) ? [] : ABSENT);
    return absent.length > 0 ? [[name, absent]] : [];
  });
  return values.length > 0 ? JSON.stringify(Object.fromEntries(values)) : undefined;
}

function recordOf(schemas: readonly (readonly [name: string, schema: Schema])[], components: Components): string {
  const entries = schemas.map(([name, schema]) => [name, textOf(schema, components)]);
  return `{ ${entries.map(([name, text]) => (name === text ? name : `${name}: ${text}`)).join(', ')} }`;
}

const TYPES = `
/** The part of a schema that the server reads. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly (string | null)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** The earliest accepted time, ISO 8601. */
  readonly 'x-earliest'?: string;
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  /** The values that mean the same as omitting the property. */
  readonly absent?: Readonly<Record<string, readonly (null | '')[]>>;
  readonly items?: Schema;
}

/** What an operation accepts. */
export interface RequestRules {
  readonly path: Readonly<Record<string, Schema>>;
  readonly query: Readonly<Record<string, Schema>>;
  /** Whether unknown query parameters are ignored. */
  readonly hasOpenQuery: boolean;
  /** All media types have the same schema. Null if the operation has no body. */
  readonly body: Schema | null;
  readonly needsBody: boolean;
}
`;
