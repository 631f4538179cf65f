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

test('results that grow drop the least recently used ones, and a larger one than all together is kept alone', () => {
  const made: string[] = [];
  const grows = new Map<string, (by: number) => void>();
  const kept = memoize((key, grow) => {
    made.push(key);
    grows.set(key, grow);
    return { key };
  }, 10);
  for (const key of ['a', 'b', 'c']) kept(key);
  grows.get('c')!(7);
  expect(made).toEqual(['a', 'b', 'c']);
  grows.get('c')!(1);
  for (const key of ['b', 'c', 'a']) kept(key);
  expect(made).toEqual(['a', 'b', 'c', 'a']);
  const first = kept('c');
  grows.get('c')!(100);
  expect([kept('c') === first, made.length]).toEqual([true, 4]);
  // a result that was dropped does not come back
  grows.get('b')!(1);
  expect(kept('b')).not.toBe(first);
  expect(made).toEqual(['a', 'b', 'c', 'a', 'b']);
});
