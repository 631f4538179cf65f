import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CHANGES } from '../tools/deliberate-changes/changes.ts';

const ROWS = CHANGES.map((change) => [change.says, change] as const);
test.each(ROWS)(
  '%s: the edit changes the text, and the check that must notice it exists',
  (_, { file, edit, noticedBy }) => {
    const text = readFileSync(file, 'utf8');
    expect(edit(text)).not.toBe(text);
    if (noticedBy !== 'typecheck') expect(existsSync(noticedBy)).toBe(true);
  },
);

test('there are at least two changes of each kind', () => {
  const kinds = CHANGES.map(({ kind }) => kind);
  for (const kind of ['field', 'status', 'scope', 'limit', 'response'] as const) {
    expect(kinds.filter((each) => each === kind).length, kind).toBeGreaterThanOrEqual(2);
  }
});
