import type { ErrorObject } from 'ajv';
import { ajvErrorsToValidatorError, augmentAjvErrors } from 'express-openapi-validator/dist/middlewares/util.js';
import { REQUESTS, type Schema } from '../../generated/requests.ts';
import type { OperationId } from '../../generated/server.ts';
import { bodyFault, type Fault, NOT_KNOWN } from './faults.ts';
import { schemaAt } from './schema-at.ts';

/** One error of the validator. */
export interface Violation {
  /** '/body/origin/lat', '/query/lat'. */
  readonly path: string;
  readonly message: string;
  /** JSON Schema's keyword and a suffix: 'maximum.openapi.validation'. */
  readonly errorCode?: string;
}

/** The faults in the errors of the validator. @param body of the request */
export function violationsIn(errors: ErrorObject[], operation: OperationId, body: unknown): Fault[] {
  const violations: readonly Violation[] = ajvErrorsToValidatorError(400, augmentAjvErrors(errors)).errors;
  return violations.flatMap((violation) => faultsOf(violation, operation, body));
}

/** A violation as faults: several if its path can mean several unknown fields. */
export function faultsOf({ path, message, errorCode = '' }: Violation, operation: OperationId, body: unknown): Fault[] {
  const [, location = '', ...names] = path.split('/');
  // the validator reports `x-eov-type` instead of `type` for fields that it converts, such as dates
  const [keyword = ''] = errorCode.replace(/^x-eov-/, '').split('.');
  if (keyword === 'additionalProperties') {
    const unknown = unknownFields(names.join('/'), REQUESTS[operation].body, body);
    return (unknown.length > 0 ? unknown : [names.join('.')]).map((name) => ({ name, problem: NOT_KNOWN }));
  }
  const schema = schemaAt(operation, location, names);
  const problem = (schema && PROBLEMS[keyword]?.(schema)) ?? message;
  return [names.length === 0 ? bodyFault(problem) : { name: names.join('.'), problem }];
}

/** The unknown fields that a path can mean. Its slashes can be part of a name, and it omits an empty name. */
function unknownFields(path: string, schema: Schema | null, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const properties = schema?.properties ?? {};
  const here = Object.hasOwn(value, path) && !Object.hasOwn(properties, path) ? [path] : [];
  const below = Object.entries(properties).flatMap(([name, inner]) => {
    if (path !== '' && !path.startsWith(`${name}/`)) return [];
    const field: unknown = (value as Record<string, unknown>)[name];
    return unknownFields(path.slice(name.length + 1), inner, field).map((rest) => `${name}.${rest}`);
  });
  return [...here, ...below];
}

/** JSON Schema keyword to the problem in words. */
const PROBLEMS: Readonly<Record<string, (schema: Schema) => string>> = {
  required: () => 'is required',
  type: ({ type = [] }) => `must be ${[type].flat().map(typeInWords).join(' or ')}`,
  minimum: ({ minimum }) => `must be at least ${minimum}`,
  maximum: ({ maximum }) => `must be at most ${maximum}`,
  minLength: ({ minLength }) => (minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`),
  maxLength: ({ maxLength }) => `must have at most ${maxLength} characters`,
  pattern: ({ pattern }) => `must match ${pattern}`,
  format: ({ format }) => (format === 'int32' ? 'must fit into 32 bits' : `must be a valid ${format}`),
  minItems: ({ minItems = 1 }) => `must have at least ${minItems === 1 ? 'one' : minItems}`,
  maxItems: ({ maxItems }) => `must have at most ${maxItems}`,
  uniqueItems: () => 'must have each only once',
  minProperties: () => 'must have at least one field',
  enum: ({ enum: values = [] }) => `must be one of ${values.filter((value) => value !== null).join(', ')}`,
};

function typeInWords(type: string): string {
  if (type === 'null') return type;
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
