import type { Schema } from '../../../server/http/contract.ts';

/** A parameter of a query or a path, or a field of a body, however deep. */
export interface Field {
  readonly location: 'query' | 'path' | 'body';
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
  return [
    ...(location === 'path' ? [] : [{ what: 'left out', isSound: !isRequired, value: undefined }]),
    ...(location === 'body' ? typeCases(schema) : textCases(schema)),
    ...limitCases(schema),
    ...lengthCases(schema),
    ...patternCases(field),
    ...instantCases(schema),
  ];
}

function typeCases({ type }: Schema): Case[] {
  return Object.entries(OF_EACH_TYPE)
    .filter(([name]) => name !== type)
    .map(([name, value]) => ({ what: `of type ${name}`, isSound: false, value }));
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

function lengthCases({ minLength, maxLength }: Schema): Case[] {
  // a length counts characters, not halves of surrogate pairs
  const text = (length: number) => '😀'.repeat(length);
  return [
    ...(minLength === undefined ? [] : around('the least length', text(minLength), text(minLength - 1))),
    ...(maxLength === undefined ? [] : around('the greatest length', text(maxLength), text(maxLength + 1))),
  ];
}

function patternCases({ schema: { pattern }, location, example }: Field): Case[] {
  if (pattern === undefined) return [];
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
    isSound: new RegExp(pattern).test(value),
    value,
  }));
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
