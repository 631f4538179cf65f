import { expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { sourcesIn, stringsIn } from './support/sources.ts';

/** The start of each path, up to its first parameter: the part that a string could repeat. */
const beginnings = [...new Set(Object.values(OPERATIONS).map(({ path }) => path.split('{')[0]!.replace(/\/$/, '')))];

test('no source outside generated/ repeats a path of the contract', () => {
  const repeated = sourcesIn('server', 'client', 'scripts', 'bench', 'tests').flatMap((file) =>
    stringsIn(file)
      .filter((text) => beginnings.some((beginning) => text.includes(beginning)))
      .map((text) => `${file}: ${text}`),
  );
  expect(repeated).toEqual([]);
});

test('the search finds repeated paths', () => {
  const strings = stringsIn('generated/client.ts');
  const missed = beginnings.filter((beginning) => !strings.some((text) => text.includes(beginning)));
  expect(missed).toEqual([]);
});
