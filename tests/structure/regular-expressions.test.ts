import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { document } from '../../scripts/contract/read.ts';
import { IN_ONE_ALPHABET } from '../../server/applications/names.ts';
import { INSTANT } from '../../server/http/instants.ts';
import { sourcesIn } from './support/sources.ts';

// the pure JavaScript build, whose results are the same on every machine
const { checkSync }: typeof import('recheck') = createRequire(import.meta.url)('recheck/lib/browser.js');

/** The timeout only ends a check that hangs. Above this many repeats, a check guesses texts, which takes long. */
const OPTIONS = { timeout: 60_000, maxRepeatCount: 100 };

/** A regular expression of a source file. */
interface Pattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

const found = sourcesIn('server', 'client', 'generated').map((file) => ({ file, ...patternsIn(file) }));
const inCode = found.flatMap(({ patterns }) => patterns);

/** Patterns that are slower than linear for some text, each with the reason why no client can send it. */
const NEVER_FROM_A_CLIENT: Readonly<Record<string, string>> = {
  'server/pages/docs.ts <script>(.*?)<\\/script>': 'reads the page that `npm run docs` writes, once',
};

/** The patterns that a file builds at run time. */
const BUILT_AT_RUN_TIME: Readonly<Record<string, readonly RegExp[]>> = {
  'server/applications/names.ts': [IN_ONE_ALPHABET],
  'server/http/instants.ts': [INSTANT],
};

/** How a pattern is slower than linear; null if it is linear. */
function problemOf({ source, flags }: Pick<Pattern, 'source' | 'flags'>): string | null {
  const found = checkSync(source, flags, OPTIONS);
  if (found.status === 'unknown') return `cannot be judged: ${JSON.stringify(found.error)}`;
  return found.status === 'vulnerable' ? found.complexity.summary : null;
}

const named = (patterns: readonly Pattern[]) => [
  ...new Map(patterns.map((one) => [`${one.file} ${one.source}`, one] as const)),
];

describe('a regular expression takes linear time for every text', () => {
  const made = Object.entries(BUILT_AT_RUN_TIME).flatMap(([file, patterns]) =>
    patterns.map(({ source, flags }) => ({ file, source, flags })),
  );
  const all = named([...inCode, ...made]);

  test.each(all.filter(([name]) => !(name in NEVER_FROM_A_CLIENT)))('%s', (_, pattern) => {
    expect(problemOf(pattern)).toBeNull();
  });

  test.each([...patternsOfContract(document)])('%s of the contract', (source) => {
    // Ajv sets this flag
    expect(problemOf({ source, flags: 'u' })).toBeNull();
  });

  test('or is listed with a reason, and the list has no others', () => {
    const listed = all.filter(([name]) => name in NEVER_FROM_A_CLIENT);
    expect(listed.map(([name]) => name).sort()).toEqual(Object.keys(NEVER_FROM_A_CLIENT).sort());
    for (const [, pattern] of listed) expect(problemOf(pattern)).not.toBeNull();
  });

  test('and a pattern that is built at run time is listed', () => {
    const files = found.flatMap(({ file, made }) => (made > 0 ? [[file, made]] : []));
    expect(files).toEqual(Object.entries(BUILT_AT_RUN_TIME).map(([file, { length }]) => [file, length]));
  });
});

describe('the check', () => {
  test.each([
    ['a number', '^[+-]?(\\d+\\.?\\d*|\\.\\d+)(e[+-]?\\d+)?$', 'i'],
    ['a group that repeats itself', '^(a+)+$', ''],
    ['blanks at the end', '\\s+$', ''],
    ['two lists that overlap', '^\\w+-?\\w*$', ''],
    ['strings that may never end', '"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"', 'g'],
  ])('finds %s', (_, source, flags) => {
    expect(problemOf({ source, flags })).toMatch(/polynomial|exponential/);
  });

  test('recognizes each way to write a regular expression', () => {
    const code = "const a = /x+/gi; new RegExp('y*', 'u'); RegExp(`z`); new RegExp(`^` + a); RegExp(b, 'g');";
    const { patterns, made } = patternsIn('a.ts', code);
    expect(patterns.map(({ source, flags }) => [source, flags])).toEqual([
      ['x+', 'gi'],
      ['y*', 'u'],
      ['z', ''],
    ]);
    expect(made).toBe(2);
  });
});

/** The regular expressions of a file, and how many it builds at run time. */
function patternsIn(file: string, code = readFileSync(file, 'utf8')): { patterns: Pattern[]; made: number } {
  const patterns: Pattern[] = [];
  let made = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, source, flags] = /^\/(.*)\/(\w*)$/.exec(node.text)!;
      patterns.push({ file, source: source!, flags: flags! });
    }
    const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (isCall && /^(globalThis\.)?RegExp$/.test(node.expression.getText())) {
      const texts = (node.arguments ?? []).map((given) => (ts.isStringLiteralLike(given) ? given.text : undefined));
      const [source, flags = ''] = texts;
      if (source === undefined) made += 1;
      else patterns.push({ file, source, flags });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true));
  return { patterns, made };
}

/** Every pattern in a part of the contract: in parameters, bodies, responses and webhooks. */
function patternsOfContract(part: unknown): Set<string> {
  if (typeof part !== 'object' || part === null) return new Set();
  return Object.entries(part).reduce((patterns, [name, inner]) => {
    const here = name === 'pattern' && typeof inner === 'string' ? [inner] : patternsOfContract(inner);
    for (const pattern of here) patterns.add(pattern);
    return patterns;
  }, new Set<string>());
}
