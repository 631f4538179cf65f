import { REQUESTS, type Schema } from '../../generated/requests.ts';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { own } from '../domain/own.ts';
import { bodyFault, type Fault, NOT_KNOWN } from './faults.ts';
import { gotCount, gotValue } from './got.ts';

/** The parts of a request that the contract describes, as the server has read them. */
export interface ReadRequest {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  readonly headers: Readonly<Record<string, unknown>>;
  body: unknown;
}

/** Judges requests and responses by the contract. One that compiles or waits is asynchronous. */
export interface ContractGuard {
  /**
   * Converts the texts of parameters to their types and adds defaults, in place. body.ts refuses a missing body if the
   * operation requires one.
   */
  readonly violationsIn: (
    operation: OperationId,
    request: ReadRequest,
  ) => readonly Violation[] | Promise<readonly Violation[]>;
  /** What is wrong with a JSON response, in words; null if it is valid. */
  readonly problemWith: (
    operation: OperationId,
    response: { readonly status: number; readonly body: unknown },
  ) => string | null | Promise<string | null>;
}

export interface Violation {
  /** For example '/body/origin/lat' or '/query/lat'. */
  readonly path: string;
  readonly message: string;
  /** A JSON Schema keyword. express-openapi-validator adds a suffix: 'maximum.openapi.validation'. */
  readonly errorCode?: string;
}

/** The media type of a body: the operation's first one unless the request names another of them. */
export function mediaTypeIn(operation: OperationId, headers: ReadRequest['headers']): string | undefined {
  const types: readonly string[] = OPERATIONS[operation].requestMediaTypes;
  return types.find((type) => type === headers['content-type']) ?? types[0];
}

/** A response that violates the contract: a mistake of the server. */
export class ResponseViolation extends Error {}

/** A violation's faults: several if its path can mean several unknown fields. */
export function faultsOf(
  { path, message, errorCode = '' }: Violation,
  operation: OperationId,
  request: ReadRequest,
): Fault[] {
  const [, location = '', ...names] = path.split('/');
  // for fields that it converts, such as dates, the validator reports `x-eov-type` instead of `type`
  const [keyword = ''] = errorCode.replace(/^x-eov-/, '').split('.');
  if (keyword === 'additionalProperties') {
    const unknown = unknownFields(names.join('/'), REQUESTS[operation].body, request.body);
    return (unknown.length > 0 ? unknown : [names.join('.')]).map((name) => ({ name, problem: NOT_KNOWN }));
  }
  const schema = schemaAt(operation, location, names);
  const problem = (schema && own(PROBLEMS, keyword)?.(schema)) ?? message;
  if (names.length === 0) return [bodyFault(problem)];
  const name = names.join('.');
  const got = own(GOT, keyword)?.(operation, name, valueAt(request, location, names), location !== 'body') ?? '';
  return [{ name, problem: problem + got }];
}

/** Describes the wrong value, by keyword. The messages of other keywords do not mention the value. */
const GOT: Readonly<Record<string, typeof gotValue>> = {
  type: gotValue,
  minimum: gotValue,
  maximum: gotValue,
  enum: gotValue,
  pattern: gotValue,
  format: gotValue,
  minLength: gotCount,
  // cut.ts has shortened a long text of a body
  maxLength: (operation, name, value, isUntyped) => (isUntyped ? gotCount(operation, name, value) : ''),
  minItems: gotCount,
};

function valueAt({ params, query, body }: ReadRequest, location: string, names: readonly string[]): unknown {
  let found = own<unknown>({ params, query, body }, location);
  for (const name of names) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = own(found as Record<string, unknown>, name);
  }
  return found;
}

/** The unknown fields that a path can mean. A slash in it can be part of a name, and an empty name is omitted. */
function unknownFields(path: string, schema: Schema | null, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const properties = schema?.properties ?? {};
  const here = Object.hasOwn(value, path) && !Object.hasOwn(properties, path) ? [path] : [];
  const below = Object.entries(properties).flatMap(([name, inner]) => {
    if (path !== '' && !path.startsWith(`${name}/`)) return [];
    const field = own(value as Record<string, unknown>, name);
    return unknownFields(path.slice(name.length + 1), inner, field).map((rest) => `${name}.${rest}`);
  });
  return [...here, ...below];
}

const PROBLEMS: Readonly<Record<string, (schema: Schema) => string>> = {
  required: () => 'is required',
  type: ({ type = [] }) => `must be ${[type].flat().map(typeInWords).join(' or ')}`,
  minimum: rangeInWords,
  maximum: rangeInWords,
  minLength: ({ minLength }) => (minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`),
  maxLength: ({ maxLength }) => `must have at most ${maxLength} characters`,
  pattern: ({ pattern }) => `must match the pattern ${pattern}`,
  format: ({ format }) => (format === 'int32' ? 'must fit into 32 bits' : `must be a valid ${format}`),
  minItems: ({ minItems = 1 }) => `must have at least ${minItems === 1 ? 'one item' : `${minItems} items`}`,
  maxItems: ({ maxItems }) => `must have at most ${maxItems} items`,
  uniqueItems: () => 'must not contain duplicates',
  minProperties: () => 'must have at least one field',
  enum: ({ enum: values = [] }) => `must be one of ${values.filter((value) => value !== null).join(', ')}`,
};

function rangeInWords({ minimum, maximum }: Schema): string {
  if (minimum === undefined) return `must be at most ${maximum}`;
  return maximum === undefined ? `must be at least ${minimum}` : `must be between ${minimum} and ${maximum}`;
}

function typeInWords(type: string): string {
  if (type === 'null') return type;
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** The schema of a parameter or a body field; undefined if `properties` and `items` do not lead to it. */
function schemaAt(operation: OperationId, location: string, names: readonly string[]): Schema | undefined {
  const { path, query, body } = REQUESTS[operation];
  if (location === 'body') return fieldOf(body ?? undefined, names);
  return own(query, names[0]!) ?? own(path, names[0]!);
}

function fieldOf(schema: Schema | undefined, [name, ...rest]: readonly string[]): Schema | undefined {
  return name === undefined ? schema : fieldOf(own(schema?.properties ?? {}, name) ?? schema?.items, rest);
}
