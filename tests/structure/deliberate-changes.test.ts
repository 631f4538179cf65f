import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CHANGES } from '../../scripts/deliberate-changes/changes.ts';
import { failureIn } from '../../scripts/deliberate-changes/checks.ts';
import { within } from '../../scripts/deliberate-changes/edit.ts';

test.each(CHANGES.map((change) => [change.says, change] as const))(
  '%s: can be made, and someone is to notice',
  (_, change) => {
    const text = readFileSync(change.file, 'utf8');
    expect(change.edit(text)).not.toBe(text);
    if (change.noticedBy !== 'typecheck') expect(existsSync(change.noticedBy)).toBe(true);
  },
);

test('there are two of each kind at least', () => {
  const kinds = CHANGES.map(({ kind }) => kind);
  for (const kind of ['field', 'status', 'scope', 'limit', 'answer'] as const) {
    expect(kinds.filter((each) => each === kind).length, kind).toBeGreaterThanOrEqual(2);
  }
});

describe('an edit within a part', () => {
  const text = [
    'paths:',
    '  get:',
    '    operationId: getRide',
    '    limit: 5',
    '  put:',
    '    limit: 5',
    'schemas:',
  ].join('\n');

  test('leaves everything outside as it is', () => {
    expect(within('  put:', 'limit: 5', 'limit: 6')(text)).toBe(text.replace(/(put:\n {4}limit: )5/, '$16'));
  });

  test('reaches what stands beside the line that it begins with', () => {
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

describe('of a run of tests', () => {
  const passed = { fullName: 'is fine', status: 'passed' };

  test('the first failure is told, with the first line of its reason', () => {
    const failed = { fullName: ' a ride ends', status: 'failed', failureMessages: ['expected 1 to be 2\n  at line 3'] };
    const report = { testResults: [{ message: '', assertionResults: [passed, failed] }] };
    expect(failureIn(report)).toBe('a ride ends: expected 1 to be 2');
  });

  test('a file that could not be read counts', () => {
    expect(failureIn({ testResults: [{ message: 'SyntaxError: no\nat', assertionResults: [] }] })).toBe(
      'SyntaxError: no',
    );
  });

  test('without a failure nothing is told', () => {
    expect(failureIn({ testResults: [{ message: '', assertionResults: [passed] }] })).toBeUndefined();
  });
});
