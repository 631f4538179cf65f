import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { specsOf } from '../../server/variables.ts';
import { boundsOfCode, constantsOf } from './support/bounds.ts';
import { figureIn, type Row, rowsOfPage } from './support/limits-page.ts';

const CONTRACT = 'openapi.yaml';
const VARIABLES = 'server/variables.ts';
/** Variables that set a bound. All others select, name or multiply something. */
const BOUND_VARIABLE = /^(MOST|MAX|LONGEST)_|_SECONDS$/;

const rows = rowsOfPage();
const rowFor = (name: string, file: string) => rows.find((row) => row.name === name && row.file === file);
const rowsIn = (isThere: (file: string) => boolean) => rows.filter(({ file }) => isThere(file));
const isOfCode = (file: string) => /^(server|generated)\/.*\.ts$/.test(file) && !isVariables(file);

describe('docs/limits.md', () => {
  test('has a row for every bound in the code', () => {
    const missing = boundsOfCode().filter(({ name, file }) => !rowFor(name, file) && !isVariables(file));
    expect(missing).toEqual([]);
  });

  test('names only existing constants, and has their values', () => {
    const wrong = rowsIn(isOfCode).flatMap(({ name, file, howMany }) => {
      const constant = existsSync(file) && constantsOf(file).find((one) => one.name === name);
      const said = figureIn(howMany, name);
      return constant && constant.value === said ? [] : [{ name, file, said, is: constant ? constant.value : null }];
    });
    expect(wrong).toEqual([]);
  });

  test('has a row for every variable that sets a bound, with its default in production', () => {
    const specs = Object.entries(specsOf('production')).filter(([name]) => BOUND_VARIABLE.test(name));
    const wrong = specs.flatMap(([name, spec]) => {
      const said = figureIn(rowFor(name, VARIABLES)?.howMany ?? '', name);
      const is = (spec as { readonly default?: unknown }).default;
      return said === is ? [] : [{ name, said, is }];
    });
    expect(wrong).toEqual([]);
  });

  test('names only existing variables', () => {
    const names = [...Object.keys(specsOf('production')), ...constantsOf(VARIABLES).map(({ name }) => name)];
    expect(rowsIn(isVariables).filter(({ name }) => !names.includes(name))).toEqual([]);
  });

  test('has a row for every rate limit bucket', () => {
    const limits = Object.values(OPERATIONS).map(({ rateLimit }) => rateLimit);
    const buckets = Object.fromEntries(limits.map(({ bucket, limit }) => [bucket, limit]));
    expect(figuresOf(rowsIn((file) => file === CONTRACT))).toEqual(buckets);
  });

  test('quotes the lines of deploy/ that set a bound', () => {
    const gone = rowsIn((file) => file.startsWith('deploy/')).filter(({ name, file }) => !linesOf(file).includes(name));
    expect(gone).toEqual([]);
  });

  test('says what happens beyond each bound, and which test checks it', () => {
    const hasTests = ({ tests }: Row) =>
      tests.length > 0 && tests.every((file) => /\.test\.ts$/.test(file) && existsSync(file));
    const bare = rows.filter((row) => !row.what || !row.beyond || !row.name || !existsSync(row.file) || !hasTests(row));
    expect(bare).toEqual([]);
  });
});

function isVariables(file: string): boolean {
  return file === VARIABLES;
}

function figuresOf(some: readonly Row[]): Record<string, number | string> {
  return Object.fromEntries(some.map(({ name, howMany }) => [name, figureIn(howMany, name)]));
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim().replace(/;$/, ''));
}
