import {
  type Contract,
  type LocatedOperation,
  nameOf,
  operationsOf,
  type Parameter,
  type Schema,
} from '../contract/bundle.ts';

/** The keywords that the server itself reads; the validator reads the rest. */
const KEYWORDS = [
  ...(['type', 'format', 'pattern', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength'] as const),
  ...(['minItems', 'maxItems', 'x-earliest', 'additionalProperties', 'properties', 'items'] as const),
];
/** Without x-absent: null is the same as leaving out an optional field. */
const ABSENT = [null];

/** The text of generated/requests.ts: what each operation takes. */
export function requestsModule(contract: Contract): string {
  const components = new Map<string, string>();
  const requests = operationsOf(contract).map((located) => `${located.id}: ${requestOf(located, components)},`);
  return [
    `import type { OperationId } from './server.ts';`,
    TYPES,
    ...[...components].map(([name, text]) => `const ${name}: Schema = ${text};`),
    '',
    '/** What each operation takes. */',
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

/** A schema without a component of its own takes the parameter's. */
function schemaOfParameter({ name, $ref, schema }: Parameter): [name: string, schema: Schema] {
  return [name, { $ref, ...schema }];
}

/** A schema as TypeScript: the text itself, or a component's name, whose text it adds to `components`. */
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

/** The values of each property that are the same as leaving it out, as TypeScript; undefined if there are none. */
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
/** As much of a schema as the server looks at. */
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
  /** The first instant that is accepted, ISO 8601. */
  readonly 'x-earliest'?: string;
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  /** The values of properties that are the same as leaving them out. */
  readonly absent?: Readonly<Record<string, readonly (null | '')[]>>;
  readonly items?: Schema;
}

/** What an operation takes. */
export interface RequestRules {
  readonly path: Readonly<Record<string, Schema>>;
  readonly query: Readonly<Record<string, Schema>>;
  /** Whether query parameters that the operation does not have are ignored. */
  readonly hasOpenQuery: boolean;
  /** The same for each media type; null where the operation takes none. */
  readonly body: Schema | null;
  readonly needsBody: boolean;
}
`;
