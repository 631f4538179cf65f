import { expect, test } from 'vitest';
import { memoize } from '../../server/memoize.ts';

test('a memoized function keeps at most the given number of results', () => {
  const made: string[] = [];
  const make = (key: string) => {
    made.push(key);
    return { key };
  };
  const kept = memoize(make, 2);
  for (const key of ['a', 'b', 'b', 'a', 'c', 'a']) kept(key);
  expect(made).toEqual(['a', 'b', 'c']);
  // b was the least recently used key when c was added
  kept('b');
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});
