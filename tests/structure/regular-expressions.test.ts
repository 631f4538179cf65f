import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { document } from '../../scripts/contract/read.ts';
import { INSTANT } from '../../server/http/instants.ts';
import { type Pattern, patternsIn, waysOf } from './support/patterns.ts';
import { sourcesIn } from './support/sources.ts';

// the pure JavaScript build, whose results are the same on every machine
const { checkSync }: typeof import('recheck') = createRequire(import.meta.url)('recheck/lib/browser.js');

/** Timeout for one pattern. Only ends a check that hangs. */
const TIMEOUT_MS = 60_000;
/** A pattern that can match in at most this many ways at each place of a text takes linear time. */
const FEW_WAYS = 1000;

const found = sourcesIn('server', 'client', 'generated').map((file) => ({ file, ...patternsIn(file) }));
const inCode = found.flatMap(({ patterns }) => patterns);

/** Patterns that are slower than linear for some text, each with the reason why no client can send it. */
const NEVER_FROM_A_CLIENT: Readonly<Record<string, string>> = {
  'server/pages/docs.ts <script>(.*?)<\\/script>': 'reads the page that `npm run docs` writes, once',
};

/** The patterns that a file builds at run time. */
const BUILT_AT_RUN_TIME: Readonly<Record<string, readonly RegExp[]>> = {
  'server/http/instants.ts': [INSTANT],
};

/** How a pattern is slower than linear; null if it is linear. */
function problemOf({ source, flags }: Pick<Pattern, 'source' | 'flags'>): string | null {
  if (waysOf(source) <= FEW_WAYS) return null;
  const found = checkSync(source, flags, { timeout: TIMEOUT_MS });
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

  test.each([
    ['\\d[+*{]\\*(?<=a)b\\u{61}\\p{L}', 1],
    ['a?', 2],
    ['a|b', 2],
    ['(?:a|b|c)d{2,4}', 9],
    ['^(a|bc?)?$', 8],
    ...['a*', 'a+?', 'a{2,}', '(a|b){9}', '(a)x\\1', '(?<x>a)\\k<x>'].map((source) => [source, Infinity] as const),
  ] as const)('counts the ways to match %s', (source, ways) => {
    expect(waysOf(source)).toBe(ways);
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

/** Every pattern in a part of the contract: in parameters, bodies, responses and webhooks. */
function patternsOfContract(part: unknown): Set<string> {
  if (typeof part !== 'object' || part === null) return new Set();
  return Object.entries(part).reduce((patterns, [name, inner]) => {
    const here = name === 'pattern' && typeof inner === 'string' ? [inner] : patternsOfContract(inner);
    for (const pattern of here) patterns.add(pattern);
    return patterns;
  }, new Set<string>());
}
