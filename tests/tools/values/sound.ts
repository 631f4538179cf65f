import { type Schema, typesOf } from '../../../scripts/contract/bundle.ts';

/** A parameter, or a field of a body. */
export interface Field {
  readonly location: 'query' | 'path' | 'header' | 'body';
  readonly schema: Schema;
  /** A valid value, if one is known. */
  readonly example?: unknown;
}

const INT32_MOST = 2 ** 31 - 1;

/** Valid values: at each limit, each enum value, and texts of the pattern. */
export function soundValues({ schema, example }: Pick<Field, 'schema' | 'example'>): unknown[] {
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
    ...textsAround(schema, example).filter((text) => fits(text, schema)),
  ];
}

function soundLists({ minItems, maxItems, items: schema }: Schema): unknown[][] {
  if (schema === undefined) return [];
  const counts = [minItems, maxItems].flatMap((count) => count ?? []);
  const lists = counts.map((count) => Array.from({ length: count }, (_, i) => schema.enum?.[i] ?? `a${i}`));
  return [...lists, ...soundValues({ schema }).map((item) => [item])];
}

/** A value with every optional field, from the examples where possible. */
export function sampleOf(schema: Schema, examples: readonly unknown[]): unknown {
  if (schema.type === 'boolean') return true;
  if (schema.type !== 'object') return examples.find((example) => example !== undefined) ?? schema.enum?.[0] ?? 'text';
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const within = examples.map((example) => (example as Record<string, unknown> | undefined)?.[name]);
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
  return [
    ...texts,
    `${example}`,
    `${example}!`,
    `${example} `,
    `${example}\n`,
    ` ${example}`,
    `${example}`.toLowerCase(),
  ];
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
