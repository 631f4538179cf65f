import {
  type Contract,
  type LocatedOperation,
  nameOf,
  operationsOf,
  type Parameter,
  type Schema,
} from '../contract/bundle.ts';

/** The keywords that the server reads itself. The validator reads the others. */
const KEYWORDS = [
  ...(['type', 'format', 'pattern', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength'] as const),
  ...(['minItems', 'maxItems', 'x-earliest', 'additionalProperties', 'properties', 'items'] as const),
];
/** The default of x-absent: null in an optional field means the same as omitting it. */
const ABSENT = [null];

/** Returns the text of generated/requests.ts: what each operation accepts. */
export function requestsModule(contract: Contract): string {
  const components = new Map<string, string>();
  const requests = operationsOf(contract).map((located) => `${located.id}: ${requestOf(located, components)},`);
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
