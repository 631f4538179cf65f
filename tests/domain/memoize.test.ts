import { expect, test } from 'vitest';
import { memoize } from '../../server/memoize.ts';

test('a function that keeps its latest results keeps no more than it was told', () => {
  const made: string[] = [];
  const make = (key: string) => {
    made.push(key);
    return { key };
  };
  const kept = memoize(make, 2);
  for (const key of ['a', 'b', 'b', 'a', 'c', 'a']) kept(key);
  expect(made).toEqual(['a', 'b', 'c']);
  // b was used longest ago when c came
  kept('b');
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});
