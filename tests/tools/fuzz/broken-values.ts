import fc from 'fast-check';
import { type JsonSchema, resolved, typesOf } from './contract.ts';
import { texts } from './values.ts';

/** Values that a schema does not allow, with what is wrong with them. */
export interface Misfit {
  readonly what: string;
  /** The telling ones, just past a limit or of another kind: tests/http/parameters.test.ts tries each, and no attack needs to. */
  readonly values: readonly unknown[];
  /** Where there are more than can be tried: what the attacks take. */
  readonly more?: fc.Arbitrary<unknown>;
  /** The part that is named for it. */
  readonly at?: string;
}

const OF_OTHER_TYPES: Readonly<Record<string, readonly unknown[]>> = {
  string: [7, 1.5, true, [], {}, ['text']],
  integer: ['7', true, [], {}, 1.5],
  number: ['7', 'text', true, [], {}],
  boolean: ['true', 'yes', 1, 0, [], {}],
  array: ['text', {}, 7, true],
  object: ['text', [], 7, true, [{}]],
};

/** In a body, where a value has its type. */
export function misfitsInBody(schema: JsonSchema): Misfit[] {
  const types = typesOf(schema);
  const [type = ''] = types.filter((other) => other !== 'null');
  const others: Misfit[] = [{ what: 'another type', values: OF_OTHER_TYPES[type]! }];
  if (!types.includes('null')) others.push({ what: 'null', values: [null] });
  if (type === 'string' && !schema.enum)
    others.push({ what: 'ill-formed text', values: ['\0', '\ud800', '\udfff\ud800'], more: ILL_FORMED });
  return [...others, ...misfitsOfType(type, schema), ...misfitsInList(schema)];
}

/** In a query or a path, where all is text. */
export function misfitsInText(schema: JsonSchema): Misfit[] {
  const [type = ''] = typesOf(schema);
  const others: Misfit[] = [];
  if (type === 'integer' || type === 'number') {
    const words = ['text', '', ' ', 'NaN', 'Infinity', '-Infinity', 'null', 'true', '[]', '{}'];
    others.push({ what: 'no number', values: [...words, '0x10', '1_000', '1e999', '1,5', '٣'] });
  }
  if (type === 'integer') others.push({ what: 'a fraction', values: ['1.5', '1.0', '1e0'] });
  if (type === 'string' && schema.pattern === undefined) others.push({ what: 'NUL', values: ['a\0b'] });
  const same = misfitsOfType(type, schema).map(({ what, values, more }) => ({
    what,
    values: values.map(String),
    ...(more && { more: more.map(String) }),
  }));
  return [...others, ...same];
}

const ILL_FORMED = fc
  .tuple(texts({ maxLength: 5 }), fc.constantFrom('\0', '\ud800', '\udfff'), texts({ maxLength: 5 }))
  .map((parts) => parts.join(''));

const MISSHAPEN: Readonly<Record<string, readonly string[]>> = {
  'date-time': [
    ...['yesterday', '', '2026-05-12', '2026-05-12T18:00:00', '2026-02-30T18:00:00Z', '2026-05-12T24:00:00Z'],
    ...['2026-05-12T18:00:60Z', '12026-05-12T18:00:00Z', '1778608800'],
  ],
  email: [
    ...['', 'maya', '@', 'maya@', '@example.com', 'ma ya@example.com', 'a b@example.com'],
    'maya@example.com, leo@example.com',
  ],
  uri: [...['', 'nowhere', '/path', '//example.com', 'http:// example.com', 'http://a b/', 'http://exa mple.com']],
};

/** What a text of each format begins and ends with; between these it can be as long as one likes. */
const FRAMES: Readonly<Record<string, readonly [start: string, end: string]>> = {
  email: ['', '@example.com'],
  uri: ['http://127.0.0.1/', ''],
};

/** A text of so many characters that is well-formed otherwise. */
export function textOfLength(length: number, { pattern, format = '' }: JsonSchema): string {
  const [start, end] = FRAMES[format] ?? ['', ''];
  // a length counts characters, not halves of surrogate pairs
  const character = pattern === undefined && FRAMES[format] === undefined ? '😀' : 'a';
  return start + character.repeat(Math.max(0, length - start.length - end.length)) + end;
}

function misfitsOfType(type: string, schema: JsonSchema): Misfit[] {
  const { minimum, maximum, minLength, maxLength, pattern, format, enum: choices, 'x-earliest': earliest } = schema;
  const found: Misfit[] = [];
  const is = (what: string, values: readonly unknown[], more?: fc.Arbitrary<unknown>) =>
    void found.push({ what, values, ...(more && { more }) });
  if (type === 'integer') {
    if (minimum !== undefined) is('too small', [minimum - 1], fc.integer({ min: -(2 ** 31), max: minimum - 1 }));
    if (maximum !== undefined) is('too large', [maximum + 1], fc.integer({ min: maximum + 1, max: 2 ** 31 - 1 }));
    if (format === 'int32') is('too large for 32 bits', [2 ** 31, 2 ** 53, 1e300]);
  }
  if (type === 'number') {
    const finite = { noNaN: true, noDefaultInfinity: true };
    if (minimum !== undefined)
      is('too small', [minimum - 1e-9], fc.double({ max: minimum, maxExcluded: true, ...finite }));
    if (maximum !== undefined)
      is('too large', [maximum + 1e-9], fc.double({ min: maximum, minExcluded: true, ...finite }));
  }
  if (type !== 'string') return found;
  if (choices)
    is(
      'none of the choices',
      ['', 'made_up', String(choices[0]).toUpperCase(), ` ${choices[0]}`],
      texts({ maxLength: 20 }).filter((text) => !choices.includes(text)),
    );
  if (minLength !== undefined && pattern === undefined)
    is('too short', [textOfLength(minLength - 1, schema)], texts({ maxLength: minLength - 1 }));
  if (maxLength !== undefined) {
    const longer = fc.nat(50).map((more) => 'x'.repeat(maxLength + 1 + more));
    is('too long', [textOfLength(maxLength + 1, schema)], format === undefined ? longer : undefined);
  }
  if (pattern !== undefined) {
    const doesNotFit = (text: string) => !new RegExp(pattern, 'u').test(text);
    const spoiled = ['a!', 'a ', 'a\n', ' a', 'a b', 'é'].filter(doesNotFit);
    is('not of the pattern', spoiled, texts({ minLength: 1, maxLength: 70 }).filter(doesNotFit));
  }
  if (format !== undefined && MISSHAPEN[format]) is(`no ${format}`, MISSHAPEN[format]);
  if (earliest !== undefined) {
    const justBefore = new Date(Date.parse(earliest) - 1).toISOString();
    is('too early', [justBefore, '1970-01-01T00:00:00Z', '0001-01-01T00:00:00Z']);
  }
  return found;
}

function misfitsInList({ items, minItems = 0, maxItems, uniqueItems }: JsonSchema): Misfit[] {
  if (items === undefined) return [];
  const inside = misfitsInBody(resolved(items)).map(({ what, values, more }) => ({
    what: `in the list ${what}`,
    values: values.map((value) => [value]),
    ...(more && { more: more.map((value) => [value]) }),
    at: '0',
  }));
  const found: Misfit[] = [...inside];
  if (minItems > 0) found.push({ what: 'an empty list', values: [[]] });
  if (maxItems !== undefined) {
    const many = Array.from({ length: maxItems + 1 }, (_, i) => `type-${i}`);
    found.push({ what: 'too long a list', values: [many] });
  }
  const [choice = 'svc'] = resolved(items).enum ?? [];
  if (uniqueItems) found.push({ what: 'the same twice', values: [[choice, choice]] });
  return found;
}
