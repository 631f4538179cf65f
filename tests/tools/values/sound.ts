import { type Schema, typesOf } from '../../../scripts/contract/bundle.ts';
import type { Field as ContractField } from '../../../scripts/contract/fields.ts';
import { MINUTE_MS } from '../../../server/domain/time.ts';
import { isInstant } from '../../../server/http/instants.ts';

/** A parameter, or a field of a body. */
export interface Field extends Pick<ContractField, 'location' | 'schema'> {
  /** A valid value, if one is known. */
  readonly example?: unknown;
}

const MOST: Readonly<Record<string, readonly number[]>> = {
  int32: [2 ** 31 - 1],
  int64: [2 ** 31, 2 ** 53, 2 ** 63, 1e300],
};

/** Names that every object inherits: a text that is looked up in a plain object must not find them. */
export const INHERITED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'] as const;
/** Two scripts in a word, other directions and no width, many accents, and markup. */
export const ODD_TEXTS = ['M\u0430ya', 'a\u202eb\u2066c\u200bd\u2060', `e${'\u0301'.repeat(30)}`, '"><b>'] as const;

/** Valid values: at each limit, each enum value, and texts of the pattern. */
export function soundValues({ schema, example }: Pick<Field, 'schema' | 'example'>): unknown[] {
  const { minimum, maximum, format, minLength, maxLength, 'x-absent': absent = [], 'x-earliest': earliest } = schema;
  const types = typesOf(schema);
  const most = maximum ?? MOST[format ?? ''];
  const lengths = [minLength, maxLength].flatMap((length) => length ?? []);
  return [
    ...(types.includes('null') ? [null] : []),
    ...(types.includes('boolean') ? [true, false] : []),
    ...choicesOf(schema),
    ...(types.includes('null') ? absent.filter((value) => value !== null) : []),
    ...[minimum, most, earliest].flatMap((limit) => limit ?? []),
    ...lengths.map((length) => textOfLength(length, schema)),
    ...soundLists(schema),
    ...(isInstant(schema) ? spellingsOf(Date.parse(earliest ?? A_TIME)) : []),
    ...[...textsAround(schema, example), ...oddTexts(schema)].filter((text) => fits(text, schema)),
  ];
}

/** Texts for a field without choices or a format. */
function oddTexts(schema: Schema): readonly string[] {
  const isFree = typesOf(schema).includes('string') && schema.enum === undefined && schema.format === undefined;
  return isFree ? [...INHERITED, ...ODD_TEXTS] : [];
}

function anyOf(types: readonly string[], schema: Schema): unknown {
  if (types.includes('number') || types.includes('integer')) return 1;
  return isInstant(schema) ? A_TIME : 'text';
}

/** The texts of an enum, which has null too if the field is optional. */
export function choicesOf({ enum: choices = [] }: Schema): string[] {
  return choices.filter((choice) => choice !== null);
}

function soundLists({ minItems, maxItems, items: schema }: Schema): unknown[][] {
  if (schema === undefined) return [];
  const counts = [minItems, maxItems].flatMap((count) => count ?? []);
  const lists = counts.map((count) => Array.from({ length: count }, (_, i) => choicesOf(schema)[i] ?? `a${i}`));
  return [...lists, ...soundValues({ schema }).map((item) => [item])];
}

const A_TIME = '2026-05-12T18:00:00Z';

/** Spellings of an offset, with its minutes. */
const OFFSETS = {
  ...{ Z: 0, z: 0, '+00:00': 0, '-00:00': 0, '+0000': 0, '+00': 0 },
  ...{ '+05:30': 330, '+0530': 330, '-07:00': -420, '-0700': -420, '-07': -420 },
};

/** An instant on a full minute, in every spelling of ISO 8601 that a request can use. */
export function spellingsOf(at: number): string[] {
  return Object.entries(OFFSETS).flatMap(([offset, minutes]) => {
    const [date = '', time = ''] = new Date(at + minutes * MINUTE_MS).toISOString().slice(0, 16).split('T');
    const ends = ['', ':00', ':00.0', ':00,000000'];
    const extended = ends.map((seconds) => `${date}T${time}${seconds}`);
    const texts = [...extended, ...extended.map((text) => text.replace(/[-:]/g, ''))];
    return texts.map((text) => text + offset);
  });
}

/** A value with every optional field, from the examples where possible. */
export function sampleOf(schema: Schema, examples: readonly unknown[]): unknown {
  const types = typesOf(schema);
  const [shown = choicesOf(schema)[0] ?? anyOf(types, schema)] = examples.filter(
    (example) => (example ?? null) !== null,
  );
  if (types.includes('boolean')) return true;
  if (!types.includes('object')) return shown;
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const within = examples.map((example) => (example as Record<string, unknown> | null | undefined)?.[name]);
    return [name, sampleOf(property, within)];
  });
  return Object.fromEntries(fields);
}

/** Texts for a field with a pattern. Some match, others do not. */
export function textsAround({ pattern }: Schema, example?: unknown): string[] {
  if (pattern === undefined) return [];
  const lengths = [1, 2, 3, 4, 63, 64, 65, 1000].map((length) => 'A'.repeat(length));
  const texts = ['', ...lengths, 'a!', 'a ', 'a\n', ' a', 'a b', 'é'];
  if (example === undefined) return texts;
  const longer = ['', '!', ' ', '\n'].map((end) => `${example}${end}`);
  return [...texts, ...longer, ` ${example}`, `${example}`.toLowerCase()];
}

export function fits(text: string, { pattern = '', minLength = 0, maxLength = 1e6 }: Schema): boolean {
  return new RegExp(pattern, 'u').test(text) && text.length >= minLength && text.length <= maxLength;
}

/** The beginning and the end of a text in each format. The part between can have any length. */
const FRAMES: Readonly<Record<string, readonly [start: string, end: string]>> = {
  email: ['', '@example.com'],
  uri: ['http://127.0.0.1/', ''],
};

/** A text of this length, valid in every other way. */
export function textOfLength(length: number, { pattern, format = '' }: Schema): string {
  const [start, end] = FRAMES[format] ?? ['', ''];
  // a length counts code points, not surrogate halves
  const character = pattern === undefined && FRAMES[format] === undefined ? '😀' : 'a';
  return start + character.repeat(Math.max(0, length - start.length - end.length)) + end;
}
