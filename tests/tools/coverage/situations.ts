import { type Schema, typesOf } from '../../../scripts/contract/bundle.ts';
import type { Field } from '../../../scripts/contract/fields.ts';
import { isObject } from './values-at.ts';

/** A kind of value that a field can have in a request, and whether the server must refuse it. */
export interface Situation {
  /** Follows the field's name: `lat at the minimum value`. */
  readonly says: string;
  /** Whether the server must refuse the request. */
  readonly isRefused: boolean;
  holds(value: unknown): boolean;
  /** Paths within the value that are at fault. Default: the value itself. */
  within?(value: unknown): readonly string[];
}

const INT32_MOST = 2 ** 31 - 1;

/** Patterns of the formats. They only need to reject the wrong texts that the tests send. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[ +-]\d\d(:?\d\d)?)$/i,
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^[a-z][a-z\d+.-]*:/i,
};

/** Every situation of a field that the contract distinguishes: missing, each enum value, at each limit and past it. */
export function situationsOf({ location, names, schema, isRequired }: Field): Situation[] {
  const isAlwaysThere = location === 'path' || names.at(-1) === '*';
  const leftOut = { says: 'left out', isRefused: isRequired, holds: (value: unknown) => value === undefined };
  return [
    ...(isAlwaysThere ? [] : [leftOut]),
    passes('given', (value) => value !== undefined && value !== null),
    ...typeSituations(location, schema),
    ...valueSituations(schema),
    // with an empty segment, the path is a different one
    ...limits(schema).filter(({ says }) => location !== 'path' || says !== 'below the minimum length'),
    ...shapes(schema),
    ...listSituations(schema),
    ...objectSituations(schema),
  ];
}

function passes(says: string, holds: (value: unknown) => boolean): Situation {
  return { says, isRefused: false, holds };
}

function fails(says: string, holds: (value: unknown) => boolean): Situation {
  return { says, isRefused: true, holds };
}

/** A query is text, so only a number field can have the wrong type there. A path or header value is always text. */
function typeSituations(location: Field['location'], schema: Schema): Situation[] {
  const types = typesOf(schema);
  const isNumber = types.includes('number') || types.includes('integer');
  const has = (value: unknown) => types.some((type) => isOfType(type, value));
  return [
    ...(location === 'body' || (location === 'query' && isNumber)
      ? [fails('of the wrong type', (value) => value !== undefined && !has(value))]
      : []),
    ...(types.includes('null') ? [passes('null', (value) => value === null)] : []),
  ];
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function valueSituations(schema: Schema): Situation[] {
  const values = typesOf(schema).includes('boolean') ? [true, false] : (schema.enum ?? []);
  const others = schema.enum === undefined ? [] : [fails('not in the enum', isNoneOf(schema.enum))];
  return [...values.map((one) => passes(`with the value ${one}`, (value) => value === one)), ...others];
}

function isNoneOf(values: readonly unknown[]): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && !values.includes(value);
}

function limits(schema: Schema): Situation[] {
  const { minimum, format, minLength, maxLength, minItems, maxItems, 'x-earliest': earliest } = schema;
  const { maximum = format === 'int32' ? INT32_MOST : undefined } = schema;
  return [
    ...least('value', number, minimum),
    ...most('value', number, maximum),
    ...least('length', length, minLength),
    ...most('length', length, maxLength),
    ...least('number of items', count, minItems),
    ...most('number of items', count, maxItems),
    ...least('instant', instant, earliest === undefined ? undefined : Date.parse(earliest)),
  ];
}

type Measure = (value: unknown) => number | undefined;

const number: Measure = (value) => (typeof value === 'number' ? value : undefined);
/** Counts code points, not surrogate halves. */
const length: Measure = (value) => (typeof value === 'string' ? [...value].length : undefined);
const count: Measure = (value) => (Array.isArray(value) ? value.length : undefined);
const instant: Measure = (value) => (typeof value === 'string' ? Date.parse(value) : undefined);

function least(what: string, measure: Measure, limit: number | undefined): Situation[] {
  if (limit === undefined) return [];
  return [
    passes(`at the minimum ${what}`, (value) => measure(value) === limit),
    fails(`below the minimum ${what}`, (value) => measure(value)! < limit),
  ];
}

function most(what: string, measure: Measure, limit: number | undefined): Situation[] {
  if (limit === undefined) return [];
  return [
    passes(`at the maximum ${what}`, (value) => measure(value) === limit),
    fails(`above the maximum ${what}`, (value) => measure(value)! > limit),
  ];
}

function shapes({ pattern, format = '' }: Schema): Situation[] {
  const shape = pattern === undefined ? SHAPES[format] : new RegExp(pattern, 'u');
  if (shape === undefined) return [];
  return [fails('in the wrong format', (value) => typeof value === 'string' && !shape.test(value))];
}

function listSituations({ uniqueItems }: Schema): Situation[] {
  if (!uniqueItems) return [];
  return [fails('with a duplicate item', (value) => Array.isArray(value) && new Set(value).size < value.length)];
}

function objectSituations({ properties = {}, additionalProperties, minProperties }: Schema): Situation[] {
  const unknownIn = (value: unknown) =>
    isObject(value) ? Object.keys(value).filter((name) => !Object.hasOwn(properties, name)) : [];
  const unknown = fails('with an unknown field', (value) => unknownIn(value).length > 0);
  return [
    ...(minProperties === undefined
      ? []
      : [fails('without any field', (value) => isObject(value) && Object.keys(value).length === 0)]),
    ...(additionalProperties === false ? [{ ...unknown, within: unknownIn }] : []),
  ];
}
