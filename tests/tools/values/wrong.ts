import fc from 'fast-check';
import { type Schema, typesOf } from '../../../scripts/contract/bundle.ts';
import { HOUR_MS, SECOND_MS } from '../../../server/domain/time.ts';
import { isInstant } from '../../../server/http/instants.ts';
import { texts } from './random.ts';
import { choicesOf, type Field, fits, INHERITED, textOfLength, textsAround } from './sound.ts';

/** Values that a schema rejects for one reason. */
export interface Wrong {
  readonly what: string;
  /** The error message for them. */
  readonly says: RegExp;
  /** Values just past a limit, or of another type or spelling. Attacks skip these: parameters.test.ts tries each. */
  readonly values: readonly unknown[];
  /** A generator where there are too many values to list. Attacks use it. */
  readonly more?: fc.Arbitrary<unknown>;
  /** The part of the value that the error names. Default: the whole value. */
  readonly at?: string;
}

/** Every kind of wrong value for a parameter or field. */
export function wrongValues({ location, schema, example }: Field): Wrong[] {
  if (location === 'header') return wrongHeaders(schema);
  if (location === 'body') return wrongInBody(schema, example);
  const found = wrongInText(schema, example);
  if (location === 'query') return found;
  // with an empty segment, the path is a different one
  return found
    .filter(({ what }) => what !== 'too short')
    .map((wrong) => ({ ...wrong, values: wrong.values.filter((value) => value !== '') }));
}

function wrong(what: string, says: string | string[], values: readonly unknown[], more?: fc.Arbitrary<unknown>): Wrong {
  const escaped = [says].flat().map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return { what, says: new RegExp(`^(${escaped.join('|')})(; got .+)?$`), values, ...(more && { more }) };
}

/** The only header is the scenario, which must name a failure of the operation. */
function wrongHeaders({ maxLength = 0 }: Schema): Wrong[] {
  return [
    {
      what: 'not an error code',
      says: /^must be one of \w+/,
      values: ['made_up', '', ...INHERITED, 'x'.repeat(maxLength + 1)],
    },
  ];
}

const OF_OTHER_TYPES: Readonly<Record<string, readonly unknown[]>> = {
  string: [7, 1.5, true, [], {}, ['text']],
  integer: ['7', true, [], {}, 1.5],
  number: ['7', 'text', true, [], {}],
  boolean: ['true', 'yes', 1, 0, [], {}],
  array: ['text', {}, 7, true],
  object: ['text', [], 7, true, [{}]],
};

const ILL_FORMED = fc
  .tuple(texts({ maxLength: 5 }), fc.constantFrom('\0', '\ud800', '\udfff'), texts({ maxLength: 5 }))
  .map((parts) => parts.join(''));

/** For a body, where values have types. */
function wrongInBody(schema: Schema, example?: unknown): Wrong[] {
  const types = typesOf(schema);
  const [type = ''] = types.filter((other) => other !== 'null');
  const says = saysOfType(types, type);
  return [
    wrong('wrong type', says, OF_OTHER_TYPES[type]!),
    ...(types.includes('null') ? [] : [wrong('null', says, [null])]),
    ...(type === 'string' && !schema.enum
      ? [wrong('NUL or invalid Unicode', saysOfShape(schema), ['\0', '\ud800', '\udfff\ud800'], ILL_FORMED)]
      : []),
    ...wrongOfType(type, schema, example),
    ...wrongLists(schema),
  ];
}

function saysOfType(types: readonly string[], type: string): string {
  return `must be ${/^[aio]/.test(type) ? 'an' : 'a'} ${type}${types.includes('null') ? ' or null' : ''}`;
}

const NO_INSTANT = 'must be an ISO 8601 date and time with an offset, such as 2026-05-12T18:00:00Z';
const NO_DAY = 'must be a date and time that exists, such as 2026-05-12T18:00:00Z';
const NO_INTEGER = 'must be an integer';

function saysOfShape(schema: Schema): string[] {
  const { pattern, format } = schema;
  if (isInstant(schema)) return [NO_INSTANT];
  if (pattern !== undefined) return [`must match the pattern ${pattern}`];
  // a password can be any text
  const isFree = format === undefined || format === 'password';
  return [isFree ? 'must be valid Unicode text without NUL characters' : `must be a valid ${format}`];
}

const NO_NUMBERS = [
  ...['text', '', ' ', 'NaN', 'Infinity', '-Infinity', 'null', 'true', '[]', '{}', '0x10', '0b10', '1_000', '1_0'],
  ...['1,5', '37,7', '37.7.9', '٣', '1e', 'e5', '.', '++5', '--5', ' 5', '5 ', '\n5', '5\n', '10\0', '\ufeff5'],
  ...[' 37', '37 ', '\n37'],
];
const BEYOND_NUMBERS = ['1e999', '-1e999'];

/** For a query or a path, where every value is text. */
function wrongInText(schema: Schema, example?: unknown): Wrong[] {
  const [type = ''] = typesOf(schema);
  const ofType = wrongOfType(type, schema, example).map(({ values, more, ...reason }) => ({
    ...reason,
    values: values.map(String),
    ...(more && { more: more.map(String) }),
  }));
  if (type === 'number') {
    const infinite = wrong('infinite number', 'must be a finite number', BEYOND_NUMBERS);
    return [wrong('not a number', 'must be a number', NO_NUMBERS), infinite, ...ofType];
  }
  if (type === 'integer') {
    // the last five are whole numbers, but not in a form that clients write
    const fractions = wrong('not a plain integer', NO_INTEGER, ['1.5', '1.0', '1e0', '5.0', '1e1', '5.']);
    return [wrong('not a number', NO_INTEGER, [...NO_NUMBERS, ...BEYOND_NUMBERS]), fractions, ...ofType];
  }
  const hasNul = type === 'string' && schema.pattern === undefined;
  return hasNul ? [wrong('with NUL', saysOfShape(schema), ['a\0b']), ...ofType] : ofType;
}

function wrongOfType(type: string, schema: Schema, example: unknown): Wrong[] {
  if (type === 'integer' || type === 'number') return wrongNumbers(type, schema);
  return type === 'string' ? wrongTexts(schema, example) : [];
}

function wrongNumbers(type: string, { minimum, maximum, format }: Schema): Wrong[] {
  const isInteger = type === 'integer';
  const step = isInteger ? 1 : 1e-9;
  const [min, max] = [-(2 ** 31), 2 ** 31 - 1];
  const finite = { noNaN: true, noDefaultInfinity: true };
  const below = (limit: number) =>
    isInteger ? fc.integer({ min, max: limit - 1 }) : fc.double({ max: limit, maxExcluded: true, ...finite });
  const above = (limit: number) =>
    isInteger ? fc.integer({ min: limit + 1, max }) : fc.double({ min: limit, minExcluded: true, ...finite });
  const hasBoth = minimum !== undefined && maximum !== undefined;
  const between = `must be between ${minimum} and ${maximum}`;
  const most = hasBoth ? between : `must be at most ${maximum}`;
  const least = hasBoth ? between : `must be at least ${minimum}`;
  const tooLarge = maximum === undefined ? 'must fit into 32 bits' : most;
  return [
    ...(minimum === undefined ? [] : [wrong('too small', least, [minimum - step], below(minimum))]),
    ...(maximum === undefined ? [] : [wrong('too large', most, [maximum + step], above(maximum))]),
    ...(format === 'int32' ? [wrong('too large for 32 bits', [tooLarge, NO_INTEGER], [2 ** 31, 2 ** 53, 1e300])] : []),
  ];
}

const MISSHAPEN: Readonly<Record<string, readonly string[]>> = {
  email: [
    ...['', 'maya', '@', 'maya@', '@example.com', 'ma ya@example.com', 'a b@example.com'],
    'maya@example.com, leo@example.com',
  ],
  uri: [...['', 'nowhere', '/path', '//example.com', 'http:// example.com', 'http://a b/', 'http://exa mple.com']],
};

function wrongTexts(schema: Schema, example: unknown): Wrong[] {
  const { minLength, maxLength, pattern, format = '', 'x-absent': absent = [] } = schema;
  const choices = choicesOf(schema);
  const found: Wrong[] = [];
  // an empty text means the same as leaving the field out, and so is wrong for a field that does not allow null
  if (absent.includes('') && !typesOf(schema).includes('null')) found.push(wrong('empty', 'is required', ['']));
  if (choices.length > 0) {
    const likeOne = ['', 'made_up', ...INHERITED, String(choices[0]).toUpperCase(), ` ${choices[0]}`];
    const others = texts({ maxLength: 20 }).filter((text) => !choices.includes(text));
    found.push(wrong('not in the enum', `must be one of ${choices.join(', ')}`, likeOne, others));
  }
  const tooShort = minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`;
  const tooLong = `must have at most ${maxLength} characters`;
  if (minLength !== undefined && pattern === undefined) {
    const shorter = texts({ maxLength: minLength - 1 });
    found.push(wrong('too short', tooShort, [textOfLength(minLength - 1, schema)], shorter));
  }
  if (maxLength !== undefined) {
    const longer = fc.nat(50).map((more) => 'x'.repeat(maxLength + 1 + more));
    const more = format === '' ? longer : undefined;
    found.push(wrong('too long', tooLong, [textOfLength(maxLength + 1, schema)], more));
  }
  if (pattern !== undefined) {
    const values = textsAround(schema, example).filter(
      (text) => !fits(text, schema) && !(text === '' && absent.includes('')),
    );
    const others = texts({ minLength: 1, maxLength: 70 }).filter((text) => !new RegExp(pattern, 'u').test(text));
    found.push(wrong('not matching the pattern', [...saysOfShape(schema), tooShort, tooLong], values, others));
  }
  if (MISSHAPEN[format]) found.push(wrong(`not a valid ${format}`, saysOfShape(schema), MISSHAPEN[format]));
  return isInstant(schema) ? [...found, ...wrongInstants(schema)] : found;
}

const NO_INSTANTS = [
  ...['2026-05-12T18:00:00', '2026-05-12T18:00', '2026-05-12', '2026-W20-2T18:00:00Z', '2026-132T18:00:00Z'],
  ...['20260512T180000', '20260512T1800', '20260512', '20260512Z', '2026W202T180000Z', '2026132T180000Z'],
  ...['20260512T18:00:00Z', '2026-05-12T180000Z', '2026-0512T18:00Z', '20260512T240000Z', '20260512T180061Z'],
  ...['2026-05-12T18Z', '20260512T18Z', '2026-05-12T18:00.5Z', '20260512180000Z', '2605-12T18:00:00Z'],
  ...['+002026-05-12T18:00:00Z', '+010000-01-01T00:00:00Z', '10000-01-01T00:00:00Z'],
  ...[' 002026-05-12T18:00:00Z', ' 010000-01-01T00:00:00Z'],
  ...['12026-05-12T18:00:00Z', '-002026-05-12T18:00:00Z', '2026-05-12T24:00:00Z', '2026-05-12T25:00:00Z'],
  ...['2026-05-12T18:60:00Z', '2026-05-12T18:00:61Z', '2026-05-12T60:00:00Z'],
  ...['2026-05-12T18:00:00.Z', '2026-05-12T18:00:00+24:00', '2026-05-12T18:00:00+14:60'],
  ...['2026-05-12T18:00:00-99:00', '2026-05-12T18:00:00+1', '2026-05-12T18:00:00+01:0', '2026-05-12T18:00:00ZZ'],
  ...['2026-05-12T18:00:00UTC', '2026-05-12T18:00:00Z[UTC]', '2026-05-12 18:00:00Z', ' 2026-05-12T18:00:00Z'],
  ...['2026-05-12T18:00:00Z ', '2026-05-12T18:00:00Z\n', '2026-05-12T18:00:00Z\0', '2026-5-12T18:00:00Z'],
  ...['1778608800', 'now', 'yesterday', 'null', ''],
];
const NO_DAYS = ['2026-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00'];

function wrongInstants({ 'x-earliest': earliest }: Schema): Wrong[] {
  const onNoDays = [...NO_DAYS.map((day) => `${day}T00:00:00Z`), '2026-02-30T18:00Z', '20260230T180000Z'];
  const found = [wrong('not a valid date-time', NO_INSTANT, NO_INSTANTS), wrong('nonexistent date', NO_DAY, onNoDays)];
  if (earliest === undefined) return found;
  const start = Date.parse(earliest);
  const justBefore = new Date(start - 1).toISOString();
  const elsewhere = new Date(start + 2 * HOUR_MS - SECOND_MS).toISOString().replace('.000Z', '+02:00');
  const longAgo = ['1970-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '0000-01-01T00:00:00Z'];
  return [...found, wrong('too early', `must not be before ${earliest}`, [justBefore, elsewhere, ...longAgo])];
}

function wrongLists({ items, minItems = 0, maxItems, uniqueItems }: Schema): Wrong[] {
  if (items === undefined) return [];
  const inside = wrongInBody(items).map(
    ({ what, says, values, more }): Wrong => ({
      what: `list item ${what}`,
      says,
      values: values.map((value) => [value]),
      ...(more && { more: more.map((value) => [value]) }),
      at: '0',
    }),
  );
  const choices = choicesOf(items);
  const [choice = 'svc'] = choices;
  const many = Array.from({ length: (maxItems ?? 0) + 1 }, (_, i) => choices[i % choices.length] ?? `type-${i}`);
  return [
    ...inside,
    ...(minItems > 0 ? [wrong('empty list', 'must have at least one item', [[]])] : []),
    ...(maxItems === undefined ? [] : [wrong('too many items', `must have at most ${maxItems} items`, [many])]),
    ...(uniqueItems ? [wrong('duplicate items', 'must not contain duplicates', [[choice, choice]])] : []),
  ];
}
