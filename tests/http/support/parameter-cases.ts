import { misfitsInBody, misfitsInText, textOfLength } from '../../tools/fuzz/broken-values.ts';
import { type JsonSchema, typesOf } from '../../tools/fuzz/contract.ts';

/** A parameter of a query, a path or a header, or a field of a body, however deep. */
export interface Field {
  readonly location: 'query' | 'path' | 'header' | 'body';
  /** The way to it: ['origin', 'lat']. */
  readonly names: readonly string[];
  readonly schema: JsonSchema;
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
  /** The part of the value that is at fault; left out: all of it. */
  readonly at?: string;
}

const INT32_MOST = 2 ** 31 - 1;

/** Everything to try with a field: left out, of every type, at each limit and just past it. */
export function casesOf(field: Field): Case[] {
  const { schema, location, isRequired } = field;
  const leftOut = { what: 'left out', isSound: !isRequired, value: undefined };
  if (location === 'header') return [leftOut, ...headerCases(schema)];
  const misfits = location === 'body' ? misfitsInBody(schema) : misfitsInText(schema);
  const wrong = misfits.flatMap(({ what, values, at }) =>
    values.map((value): Case => ({ what: told(what, value), isSound: false, value, ...(at !== undefined && { at }) })),
  );
  const cases = [...soundValues(schema).map(soundCase), ...wrong, ...patternCases(field)];
  // nothing in a path is another path
  return location === 'path' ? cases.filter(({ value }) => value !== '') : [leftOut, ...cases];
}

const told = (what: string, value: unknown) => `${what}: ${JSON.stringify(value).slice(0, 60)}`;

const soundCase = (value: unknown): Case => ({ what: told('accepted', value), isSound: true, value });

/** The one header of the contract names a failure of the operation. */
function headerCases({ maxLength = 0 }: JsonSchema): Case[] {
  const none = ['made_up', '', 'x'.repeat(maxLength + 1)];
  return none.map((value) => ({ what: told('no failure', value), isSound: false, value }));
}

/** What a schema accepts at each of its limits, and each of its choices. */
function soundValues(schema: JsonSchema): unknown[] {
  const { enum: choices = [], minimum, maximum, format, minLength, maxLength, 'x-earliest': earliest } = schema;
  const types = typesOf(schema);
  const most = maximum ?? (format === 'int32' ? INT32_MOST : undefined);
  const lengths = [minLength, maxLength].flatMap((length) => length ?? []);
  return [
    ...(types.includes('null') ? [null] : []),
    ...(types.includes('boolean') ? [true, false] : []),
    ...choices,
    ...[minimum, most, earliest].flatMap((limit) => limit ?? []),
    ...lengths.map((length) => textOfLength(length, schema)),
    ...soundLists(schema),
  ];
}

function soundLists({ minItems, maxItems, items }: JsonSchema): unknown[][] {
  if (items === undefined) return [];
  const counts = [minItems, maxItems].flatMap((count) => count ?? []);
  const lists = counts.map((count) => Array.from({ length: count }, (_, i) => items.enum?.[i] ?? `a${i}`));
  return [...lists, ...soundValues(items).map((item) => [item])];
}

function patternCases({ schema: { pattern, minLength = 0, maxLength = 1e6 }, example }: Field): Case[] {
  if (pattern === undefined) return [];
  const text = String(example);
  const lengths = [1, 2, 3, 4, 63, 64, 65, 1000].map((length) => 'A'.repeat(length));
  const candidates = [text, ...lengths, `${text}!`, `${text} `, `${text}\n`, ` ${text}`, text.toLowerCase(), ''];
  return candidates.map((value) => {
    const isSound = new RegExp(pattern).test(value) && value.length >= minLength && value.length <= maxLength;
    return { what: told(`of ${value.length} characters`, value), isSound, value };
  });
}
