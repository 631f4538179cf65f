import type { Schema } from '../../../server/http/contract.ts';

/** A parameter of a query, a path or a header, or a field of a body, however deep. */
export interface Field {
  readonly location: 'query' | 'path' | 'header' | 'body';
  /** The way to it: ['origin', 'lat']. */
  readonly names: readonly string[];
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** A value from the contract's examples, or one that its schema accepts. */
  readonly example: unknown;
}

/** A value for a field, and whether the contract accepts it there. */
export interface Case {
  readonly what: string;
  readonly isSound: boolean;
  /** `undefined` leaves the field out. */
  readonly value: unknown;
}

const OF_EACH_TYPE: Readonly<Record<string, unknown>> = {
  null: null,
  boolean: true,
  number: 1.5,
  string: 'text',
  array: [],
  object: {},
};
const INT32_MOST = 2 ** 31 - 1;

/** Everything to try with a field: left out, of every type, at each limit and just past it. */
export function casesOf(field: Field): Case[] {
  const { schema, location, isRequired } = field;
  if (location === 'header') return headerCases(field);
  return [
    ...(location === 'path' ? [] : [{ what: 'left out', isSound: !isRequired, value: undefined }]),
    ...(location === 'body' ? typeCases(schema) : textCases(schema)),
    ...limitCases(schema),
    // nothing in a path is another path
    ...lengthCases(schema).filter(({ value }) => location !== 'path' || value !== ''),
    ...patternCases(field),
    ...instantCases(schema),
    ...formatCases(schema),
    ...enumCases(schema),
    ...booleanCases(schema),
    ...itemCases(schema),
  ];
}

/** What to try with one of the items of a list. */
export function casesOfItem({ schema: { items = {} } }: Field): Case[] {
  return [...typeCases(items), ...lengthCases(items), ...enumCases(items)];
}

/** The one header of the contract names a failure of the operation. */
function headerCases({ isRequired, schema: { maxLength } }: Field): Case[] {
  return [
    { what: 'left out', isSound: !isRequired, value: undefined },
    { what: 'of no failure', isSound: false, value: 'made_up' },
    { what: 'of nothing', isSound: false, value: '' },
    { what: 'past the greatest length', isSound: false, value: 'x'.repeat(maxLength! + 1) },
  ];
}

function typesOf({ type = [] }: Schema): readonly string[] {
  return [type].flat();
}

function typeCases(schema: Schema): Case[] {
  const types = typesOf(schema);
  return Object.entries(OF_EACH_TYPE)
    .filter(([name]) => name === 'null' || !types.includes(name))
    .map(([name, value]) => ({ what: `of type ${name}`, isSound: types.includes(name), value }));
}

/** In a query everything is text, so a text can be no number, but no number can be no text. */
function textCases({ type }: Schema): Case[] {
  if (type !== 'number' && type !== 'integer') return [];
  const wrong = ['text', '', 'true', 'null', '[]', '{}', ...(type === 'integer' ? ['1.5'] : [])];
  return wrong.map((value) => ({ what: `of ${JSON.stringify(value)}`, isSound: false, value }));
}

function limitCases({ type, format, minimum, maximum }: Schema): Case[] {
  const most = maximum ?? (format === 'int32' ? INT32_MOST : undefined);
  const step = type === 'integer' ? 1 : 1e-9;
  return [
    ...(minimum === undefined ? [] : around('the minimum', minimum, minimum - step)),
    ...(most === undefined ? [] : around('the maximum', most, most + step)),
  ];
}

/** What a text of each format begins and ends with; between these it can be as long as one likes. */
const FRAMES: Readonly<Record<string, readonly [start: string, end: string]>> = {
  email: ['', '@example.com'],
  uri: ['http://127.0.0.1/', ''],
};

function lengthCases({ minLength, maxLength, pattern, format = '' }: Schema): Case[] {
  const [start, end] = FRAMES[format] ?? ['', ''];
  // a length counts characters, not halves of surrogate pairs
  const character = pattern === undefined && FRAMES[format] === undefined ? '😀' : 'a';
  const text = (length: number) => start + character.repeat(Math.max(0, length - start.length - end.length)) + end;
  return [
    ...(minLength === undefined ? [] : around('the least length', text(minLength), text(minLength - 1))),
    ...(maxLength === undefined ? [] : around('the greatest length', text(maxLength), text(maxLength + 1))),
  ];
}

function patternCases({ schema: { pattern, minLength = 0, maxLength = 1e6 }, location, example }: Field): Case[] {
  if (pattern === undefined) return [];
  const isSound = (value: string) =>
    new RegExp(pattern).test(value) && value.length >= minLength && value.length <= maxLength;
  const text = String(example);
  const lengths = [1, 2, 3, 4, 63, 64, 65, 1000].map((length) => 'A'.repeat(length));
  const candidates = [
    text,
    ...lengths,
    `${text}!`,
    `${text} `,
    `${text}\n`,
    ` ${text}`,
    text.toLowerCase(),
    ...(location === 'path' ? [] : ['']),
  ];
  return candidates.map((value) => ({
    what: `of ${value.length} characters, ${JSON.stringify(value.slice(0, 40))}`,
    isSound: isSound(value),
    value,
  }));
}

const MISSHAPEN: Readonly<Record<string, readonly string[]>> = {
  email: ['', 'maya', 'maya@', '@example.com', 'ma ya@example.com', 'maya@example.com, leo@example.com'],
  uri: ['', 'nowhere', '/path', '//example.com', 'http:// example.com', 'http://exa mple.com'],
};

function formatCases({ format = '' }: Schema): Case[] {
  return (MISSHAPEN[format] ?? []).map((value) => ({ what: `of ${JSON.stringify(value)}`, isSound: false, value }));
}

function enumCases({ enum: values }: Schema): Case[] {
  if (values === undefined) return [];
  const wrong = ['', 'made_up', String(values[0]).toUpperCase(), ` ${values[0]}`];
  return [
    ...values.map((value) => ({ what: `of ${value}`, isSound: true, value })),
    ...wrong.map((value) => ({ what: `of ${JSON.stringify(value)}`, isSound: false, value })),
  ];
}

function booleanCases(schema: Schema): Case[] {
  if (!typesOf(schema).includes('boolean')) return [];
  return [true, false].map((value) => ({ what: `of ${value}`, isSound: true, value }));
}

/** Of items that are texts; a wrong one among them is named by its place, so it is no case of the field. */
function itemCases({ minItems, maxItems, uniqueItems, items }: Schema): Case[] {
  if (items === undefined) return [];
  const list = (count: number) => Array.from({ length: count }, (_, i) => items.enum?.[i] ?? `a${i}`);
  const twice = ['svc', 'public'].find((value) => items.enum === undefined || items.enum.includes(value));
  return [
    ...(minItems === undefined ? [] : around('the least count', list(minItems), list(minItems - 1))),
    ...(maxItems === undefined ? [] : around('the greatest count', list(maxItems), list(maxItems + 1))),
    ...(uniqueItems ? [{ what: 'with one twice', isSound: false, value: [twice, twice] }] : []),
  ];
}

function instantCases({ format, 'x-earliest': earliest }: Schema): Case[] {
  if (format !== 'date-time') return [];
  const wrong = ['yesterday', '2026-05-12', '2026-05-12T18:00:00', '2026-02-30T00:00:00Z', ''];
  const cases = wrong.map((value) => ({ what: `of ${JSON.stringify(value)}`, isSound: false, value }));
  if (earliest === undefined) return cases;
  return [...cases, ...around('the earliest instant', earliest, new Date(Date.parse(earliest) - 1).toISOString())];
}

function around(limit: string, at: unknown, past: unknown): Case[] {
  return [
    { what: `at ${limit}`, isSound: true, value: at },
    { what: `past ${limit}`, isSound: false, value: past },
  ];
}
