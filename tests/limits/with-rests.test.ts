import { expect, test } from 'vitest';
import { withRests } from '../../server/limits/with-rests.ts';
import { newLatch } from '../support/latch.ts';

test('after a long piece its owner rests for fifty times the excess, and others go on', async () => {
  let now = 0;
  const done: string[] = [];
  const rested = newLatch();
  const rests: number[] = [];
  const run = withRests(
    20,
    () => now,
    (ms) => {
      rests.push(ms);
      return rested.promise;
    },
  );
  const piece = (owner: string, ms: number) =>
    run(owner, () => {
      now += ms;
      done.push(`${owner} ${ms}`);
    });
  const waiting = [piece('a', 20), piece('a', 35), piece('a', 1)];
  await Promise.all([piece('b', 1), piece('b', 2), piece('b', 3), piece('b', 4)]);
  expect(done).toEqual(['a 20', 'b 1', 'a 35', 'b 2', 'b 3', 'b 4']);
  expect(rests).toEqual([50 * 15]);
  rested.open();
  await Promise.all([...waiting, piece('c', 1000)]);
  expect(done.slice(-2).toSorted()).toEqual(['a 1', 'c 1000']);
  expect(rests.at(-1)).toBe(50 * 20);
});
