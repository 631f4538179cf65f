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
    ...objectSituations(schema),
  ];
}

type Holds = (value: unknown) => boolean;
const passes = (says: string, holds: Holds): Situation => ({ says, isRefused: false, holds });
const fails = (says: string, holds: Holds): Situation => ({ says, isRefused: true, holds });

/** A query is text, so only a number field can have the wrong type there. A path or header value is always text. */
function typeSituations(location: Field['location'], schema: Schema): Situation[] {
  const types = typesOf(schema);
  const isTyped = location === 'body' || (location === 'query' && /number|integer/.test(types.join()));
  const has = (value: unknown) => types.some((type) => isOfType(type, value));
  return [
    ...(isTyped ? [fails('of the wrong type', (value) => value !== undefined && !has(value))] : []),
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
  const { enum: choices } = schema;
  const values = typesOf(schema).includes('boolean') ? [true, false] : (choices ?? []);
  const isOther = (value: unknown) => typeof value === 'string' && !choices?.includes(value);
  const others = choices === undefined ? [] : [fails('not in the enum', isOther)];
  return [...values.map((one) => passes(`with the value ${one}`, (value) => value === one)), ...others];
}

/** How a value compares with a limit. Undefined if the limit is not about values of its type. */
type Measure = (value: unknown) => number | undefined;

const number: Measure = (value) => (typeof value === 'number' ? value : undefined);
/** Counts code points, not surrogate halves. */
const length: Measure = (value) => (typeof value === 'string' ? [...value].length : undefined);
const count: Measure = (value) => (Array.isArray(value) ? value.length : undefined);
const instant: Measure = (value) => (typeof value === 'string' ? Date.parse(value) : undefined);

function limits(schema: Schema): Situation[] {
  const { minimum, format, minLength, maxLength, minItems, maxItems, 'x-earliest': earliest } = schema;
  const { maximum = format === 'int32' ? INT32_MOST : undefined } = schema;
  const all: ReadonlyArray<readonly [limit: number | undefined, end: string, what: string, measure: Measure]> = [
    [minimum, 'minimum', 'value', number],
    [maximum, 'maximum', 'value', number],
    [minLength, 'minimum', 'length', length],
    [maxLength, 'maximum', 'length', length],
    [minItems, 'minimum', 'number of items', count],
    [maxItems, 'maximum', 'number of items', count],
    [earliest === undefined ? undefined : Date.parse(earliest), 'minimum', 'instant', instant],
  ];
  return all.flatMap(([limit, end, what, measure]) => {
    if (limit === undefined) return [];
    const isBelow = (value: unknown) => measure(value)! < limit;
    const isAbove = (value: unknown) => measure(value)! > limit;
    return [
      passes(`at the ${end} ${what}`, (value) => measure(value) === limit),
      end === 'minimum' ? fails(`below the ${end} ${what}`, isBelow) : fails(`above the ${end} ${what}`, isAbove),
    ];
  });
}

function shapes({ pattern, format = '', uniqueItems }: Schema): Situation[] {
  const shape = pattern === undefined ? SHAPES[format] : new RegExp(pattern, 'u');
  const isMisshapen = (value: unknown) => typeof value === 'string' && !shape!.test(value);
  const hasTwice = (value: unknown) => Array.isArray(value) && new Set(value).size < value.length;
  return [
    ...(shape === undefined ? [] : [fails('in the wrong format', isMisshapen)]),
    ...(uniqueItems ? [fails('with a duplicate item', hasTwice)] : []),
  ];
}

function objectSituations({ properties = {}, additionalProperties, minProperties }: Schema): Situation[] {
  const unknownIn = (value: unknown) =>
    isObject(value) ? Object.keys(value).filter((name) => !Object.hasOwn(properties, name)) : [];
  const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0;
  const unknown = fails('with an unknown field', (value) => unknownIn(value).length > 0);
  return [
    ...(minProperties === undefined ? [] : [fails('without any field', isEmpty)]),
    ...(additionalProperties === false ? [{ ...unknown, within: unknownIn }] : []),
  ];
}
