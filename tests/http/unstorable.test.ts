import fc from 'fast-check';
import { expect, test } from 'vitest';
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
