import { beforeEach, expect, test, vi } from 'vitest';
import { throttle } from '../../server/limits/throttle.ts';
import { fakeTimers } from '../support/fake-timers.ts';

const NOON = Date.UTC(2026, 4, 12, 12);
beforeEach(() => fakeTimers(['Date'], NOON));

const limit = { attempts: 2, windowSeconds: 60, keyOf: (key: string) => key };
const isLate = (verdict: object) => 'waitSeconds' in verdict;

test('a throttle with too many keys drops the least recently used one', () => {
  const take = throttle([limit], 1, 3);
  for (const key of ['a', 'a', 'b', 'c', 'a']) take(key);
  take('d');
  // d replaced b, then b replaced a
  expect(['b', 'b', 'b'].map((key) => isLate(take(key)))).toEqual([false, false, true]);
  expect([isLate(take('c')), isLate(take('d'))]).toEqual([false, false]);
});

test('an attempt that is taken back after its window does not affect the next one', () => {
  const take = throttle([limit], 1);
  const early = take('a');
  vi.setSystemTime(NOON + 60_000);
  const verdicts = [take('a'), take('a')];
  if ('takeBack' in early) early.takeBack();
  expect([...verdicts, take('a')].map(isLate)).toEqual([false, false, true]);
});
