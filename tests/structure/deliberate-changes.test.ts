import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CHANGES } from '../tools/deliberate-changes/changes.ts';
import { within } from '../tools/deliberate-changes/edit.ts';

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

describe('an edit within a block', () => {
  const text = 'paths:\n  get:\n    operationId: getRide\n    limit: 5\n  put:\n    limit: 5\nschemas:';

  test('changes nothing outside the block', () => {
    expect(within('  put:', 'limit: 5', 'limit: 6')(text)).toBe(text.replace(/(put:\n {4}limit: )5/, '$16'));
  });

  test('includes the lines next to an operationId', () => {
    expect(within('    operationId: getRide', 'limit: 5', 'limit: 6')(text)).toBe(text.replace('limit: 5', 'limit: 6'));
  });

  test.each([
    ['that is not there', '  delete:', 'limit: 5'],
    ['that is there twice', '    limit', '5'],
    ['without the text', '  get:', 'limit: 7'],
  ])('%s fails', (_, head, from) => {
    expect(() => within(head, from, '')(text)).toThrow();
  });
});
