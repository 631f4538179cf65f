/** The syntax of values in a language. */
export interface Dialect {
  text(value: string): string;
  key(name: string): string;
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
  readonly indent: string;
  /** Between the braces and the fields on one line. */
  readonly padding: string;
  /** After the last of several fields. */
  readonly lastComma: string;
}

/** An expression in place of a value. */
export class Code {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const WIDTH = 80;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const WORDS = { true: 'true', false: 'false', null: 'null' };
export const JSON_TEXT: Dialect = {
  text: (value) => JSON.stringify(value),
  key: (name) => JSON.stringify(name),
  words: WORDS,
  indent: '  ',
  padding: '',
  lastComma: '',
};
export const TYPESCRIPT: Dialect = {
  text: quoted,
  key: (name) => (IDENTIFIER.test(name) ? name : quoted(name)),
  words: WORDS,
  indent: '  ',
  padding: ' ',
  lastComma: ',',
};
export const PYTHON: Dialect = {
  ...JSON_TEXT,
  words: { true: 'True', false: 'False', null: 'None' },
  indent: '    ',
  lastComma: ',',
};

/**
 * Returns a value as source code: on one line if it fits, otherwise one line per field.
 * @param margin indentation of its line
 * @param column where the value begins in that line, in characters
 */
export function literal(value: unknown, dialect: Dialect, margin = '', column = margin.length): string {
  const line = onOneLine(value, dialect);
  if (column + line.length < WIDTH || !isCompound(value)) return line;
  const inner = `${margin}${dialect.indent}`;
  const lines = partsOf(value, dialect).map(([head, part]) => {
    return `${inner}${head}${literal(part, dialect, inner, inner.length + head.length)}`;
  });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}${dialect.lastComma}\n${margin}${close}`;
}

function onOneLine(value: unknown, dialect: Dialect): string {
  if (value instanceof Code) return value.text;
  if (typeof value === 'string') return dialect.text(value);
  if (!isCompound(value)) return dialect.words[String(value) as 'null'] ?? String(value);
  const parts = partsOf(value, dialect).map(([head, part]) => `${head}${onOneLine(part, dialect)}`);
  if (Array.isArray(value)) return `[${parts.join(', ')}]`;
  return parts.length === 0 ? '{}' : `{${dialect.padding}${parts.join(', ')}${dialect.padding}}`;
}

function partsOf(value: object, dialect: Dialect): [head: string, part: unknown][] {
  if (Array.isArray(value)) return value.map((part) => ['', part]);
  return Object.entries(value).map(([name, part]) => [`${dialect.key(name)}: `, part]);
}

function isCompound(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Code);
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
