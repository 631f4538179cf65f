import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { differencesFrom } from '../../scripts/generate/differences.ts';
import { sourcesIn, stringsIn } from './support/sources.ts';

// check:generated compares the files with the contract
test.each(readdirSync('generated'))('generated/%s says not to edit it', (name) => {
  const [first, second] = readFileSync(join('generated', name), 'utf8').split('\n');
  expect(`${first} ${second}`).toContain('Do not edit');
});

test('a changed, a missing and an unexpected file are reported', () => {
  const folder = mkdtempSync(join(tmpdir(), 'generated-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'kept'), 'as it should be');
  writeFileSync(join(folder, 'changed'), 'by hand');
  writeFileSync(join(folder, 'stray'), '');
  const files = new Map([
    ['kept', 'as it should be'],
    ['changed', 'as it should be'],
    ['missing', ''],
  ]);
  expect(differencesFrom(files, folder).sort()).toEqual(['changed', 'missing', 'stray']);
});

/** The start of each path, up to its first parameter: the part that a string could repeat. */
const beginnings = [...new Set(Object.values(OPERATIONS).map(({ path }) => path.split('{')[0]!.replace(/\/$/, '')))];

const repeats = (text: string) => beginnings.some((beginning) => text.includes(beginning));

/** Whether a file could have such a string. Parsing all files would take seconds. */
function mayRepeat(file: string): boolean {
  const code = readFileSync(file, 'utf8');
  return repeats(code) || /\\[ux]/.test(code);
}

test('no source outside generated/ repeats a path of the contract', () => {
  const suspects = sourcesIn('server', 'client', 'scripts', 'bench', 'tests').filter(mayRepeat);
  const repeated = suspects.flatMap((file) =>
    stringsIn(file)
      .filter(repeats)
      .map((text) => `${file}: ${text}`),
  );
  expect(repeated).toEqual([]);
});

test('the search finds repeated paths', () => {
  const strings = stringsIn('generated/client.ts');
  const missed = beginnings.filter((beginning) => !strings.some((text) => text.includes(beginning)));
  expect(missed).toEqual([]);
});
