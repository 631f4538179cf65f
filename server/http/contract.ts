import { readFileSync } from 'node:fs';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';

/** As much of a schema as the server looks into itself; the rest is the validator's. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: unknown;
  /** The first instant that is accepted, ISO 8601. */
  readonly 'x-earliest'?: string;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface RequestBody {
  readonly required?: boolean;
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Response {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, { readonly examples?: Readonly<Record<string, Example>> }>>;
}

interface Header {
  readonly $ref?: string;
  readonly example?: unknown;
}

interface Example {
  readonly $ref?: string;
  readonly value?: unknown;
}

/** The one body of failures. */
export interface FailureBody {
  readonly error: string;
  readonly error_description: string;
  readonly error_detail: ReadonlyArray<Readonly<Record<string, string>>>;
  readonly [field: string]: unknown;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, Response>>;
  /** Query parameters that the operation does not have are ignored. */
  readonly 'x-open-query'?: boolean;
}

/** The contract, as `npm run generate` bundled it. */
export const document = JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'));

/** The query parameters of an operation, by name. */
export function queryParameters(operation: OperationId): ReadonlyMap<string, Schema> {
  const parameters = parametersOf(operation).filter((parameter) => parameter.in === 'query');
  return new Map(parameters.map(({ name, schema }) => [name, resolve(schema)]));
}

export function hasOpenQuery(operation: OperationId): boolean {
  return operationOf(operation)['x-open-query'] === true;
}

/** The schema of an operation's body, the same for all of its media types; undefined where it takes none. */
export function bodySchema(operation: OperationId): Schema | undefined {
  const [content] = Object.values(operationOf(operation).requestBody?.content ?? {});
  return content && resolve(content.schema);
}

export function needsBody(operation: OperationId): boolean {
  return operationOf(operation).requestBody?.required === true;
}

/** The schema of a parameter or of a field of the body; undefined where the contract says it in another way than by properties. */
export function schemaAt(operation: OperationId, location: string, names: readonly string[]): Schema | undefined {
  if (location === 'body') return fieldOf(bodySchema(operation), names);
  const parameter = parametersOf(operation).find(({ name }) => name === names[0]);
  return parameter && resolve(parameter.schema);
}

function fieldOf(schema: Schema | undefined, [name, ...rest]: readonly string[]): Schema | undefined {
  if (name === undefined) return schema;
  const field = schema?.properties?.[name] ?? schema?.items;
  return field && fieldOf(resolve(field), rest);
}

/** The body that the contract shows of a failure of an operation; undefined for one that has none. */
export function failureExample(operation: OperationId, status: number, code: string): FailureBody | undefined {
  const { content = {} } = resolve(operationOf(operation).responses[status] ?? {});
  const examples = Object.values(content['application/json']?.examples ?? {});
  const bodies = examples.map((example) => resolve(example).value as FailureBody);
  return bodies.find(({ error }) => error === code);
}

/** What the contract shows in a header of an answer; undefined where the answer does not have the header. */
export function headerExample(operation: OperationId, status: number, name: string): unknown {
  const header = resolve(operationOf(operation).responses[status] ?? {}).headers?.[name];
  return header && resolve(header).example;
}

/** Whether an operation's success must not be kept by caches, and so none of its answers (RFC 6749, section 5.1). */
export function isNeverStored(operation: OperationId): boolean {
  const success = operationOf(operation).responses[OPERATIONS[operation].successStatus];
  return Object.hasOwn(success?.headers ?? {}, 'Cache-Control');
}

function parametersOf(operation: OperationId): Parameter[] {
  const { path } = OPERATIONS[operation];
  const all = [...(document.paths[path].parameters ?? []), ...(operationOf(operation).parameters ?? [])];
  return all.map((parameter) => resolve<Parameter>(parameter));
}

function operationOf(operation: OperationId): Operation {
  const { method, path } = OPERATIONS[operation];
  return document.paths[path][method];
}

/** What stands where a $ref of the bundle points. */
export function resolve<T extends { readonly $ref?: string }>(node: T): T {
  if (node.$ref === undefined) return node;
  return node.$ref
    .slice(2)
    .split('/')
    .reduce((parent, key) => parent[key], document);
}
