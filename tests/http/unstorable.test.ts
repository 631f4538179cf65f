import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LONGEST_NAME } from '../../server/http/faults.ts';
import { isStorable, unstorableIn } from '../../server/http/unstorable.ts';

const text = fc.string({ unit: fc.constantFrom('a', '\0', '\ud83d', '\ude00', '🚗') });

test('a value is storable if all its strings are', () => {
  fc.assert(
    fc.property(fc.object({ values: [text, fc.integer(), fc.constant(null)] }), (value) => {
      expect(isStorable(value)).toBe(unstorableIn(value).length === 0);
    }),
  );
  for (const [value, is] of [
    ['a', true],
    ['\0', false],
    [undefined, true],
    [{ a: [{ b: '\ud83d' }] }, false],
  ] as const) {
    expect(isStorable(value)).toBe(is);
  }
});

test('a value can nest deeper than the stack', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(20_000)}"\\ud800"${'}'.repeat(20_000)}`);
  expect(isStorable(deep)).toBe(false);
  const faults = unstorableIn(JSON.parse(`${'{"a":"\\ud800","b":'.repeat(3000)}1${'}'.repeat(3000)}`));
  expect(faults.length).toBeGreaterThan(1);
  expect(Math.max(...faults.map(({ name }) => name.length))).toBe(LONGEST_NAME + 1);
});
