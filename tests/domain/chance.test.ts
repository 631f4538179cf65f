import { expect, test } from 'vitest';
import { draws, pick } from '../../server/domain/chance.ts';
import { liveId, sandboxId } from '../../server/domain/ids.ts';

const OPAQUE = /^[A-Za-z0-9_-]{1,64}$/;

test('the same seed and key draw the same numbers, and another key draws others', () => {
  expect(draws(20, 'seed', 'car', 1)).toEqual(draws(20, 'seed', 'car', 1));
  expect(draws(20, 'seed', 'car', 1)).not.toEqual(draws(20, 'seed', 'car', 2));
  expect(draws(20, 'seed', 'a', 'bc')).not.toEqual(draws(20, 'seed', 'ab', 'c'));
});

test('draws are spread evenly between 0 and 1', () => {
  const numbers = draws(4000, 'seed', 'even');
  expect(numbers.every((n) => n >= 0 && n < 1)).toBe(true);
  for (const tenth of Array.from({ length: 10 }, (_, i) => i / 10)) {
    const count = numbers.filter((n) => n >= tenth && n < tenth + 0.1).length;
    expect(count).toBeGreaterThan(320);
    expect(count).toBeLessThan(480);
  }
});

test('a pick can be the first and the last item of a list', () => {
  expect(pick(['a', 'b', 'c'], 0)).toBe('a');
  expect(pick(['a', 'b', 'c'], 0.9999)).toBe('c');
});

test('sandbox ids repeat with the seed, and differ by kind and counter', () => {
  expect(sandboxId('seed', 'ride', 1)).toBe(sandboxId('seed', 'ride', 1));
  const ids = ['ride', 'event'].flatMap((kind) => [1, 2].map((counter) => sandboxId('seed', kind, counter)));
  expect(new Set([...ids, sandboxId('other', 'ride', 1)]).size).toBe(5);
  for (const id of ids) expect(id).toMatch(OPAQUE);
});

test('live ids sort by time', () => {
  const random = new Uint8Array(16).fill(7);
  const earlier = liveId(1_790_000_000_000, random);
  expect(earlier < liveId(1_790_000_000_001, new Uint8Array(16))).toBe(true);
  expect(earlier).toBe(liveId(1_790_000_000_000, random));
  expect(earlier).toMatch(OPAQUE);
});
