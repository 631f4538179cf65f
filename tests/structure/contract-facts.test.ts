import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { sourcesIn, stringsIn } from './support/sources.ts';

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
