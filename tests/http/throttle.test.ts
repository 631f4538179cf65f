import { beforeEach, expect, test, vi } from 'vitest';
import { throttle } from '../../server/http/throttle.ts';
import { fakeTimers } from '../support/fake-timers.ts';

const NOON = Date.UTC(2026, 4, 12, 12);
beforeEach(() => fakeTimers(['Date'], NOON));

const limit = { attempts: 2, windowSeconds: 60, keyOf: (key: string) => key };
const isLate = (verdict: object) => 'waitSeconds' in verdict;

test('of more keys than it may count, it forgets the one that was used least recently', () => {
  const take = throttle([limit], 1, 3);
  for (const key of ['a', 'a', 'b', 'c', 'a']) take(key);
  take('d');
  // b made room for d, then a for b
  expect(['b', 'b', 'b'].map((key) => isLate(take(key)))).toEqual([false, false, true]);
  expect([isLate(take('c')), isLate(take('d'))]).toEqual([false, false]);
});

test('what is taken back after its window counts for nothing in the next', () => {
  const take = throttle([limit], 1);
  const early = take('a');
  vi.setSystemTime(NOON + 60_000);
  const verdicts = [take('a'), take('a')];
  if ('takeBack' in early) early.takeBack();
  expect([...verdicts, take('a')].map(isLate)).toEqual([false, false, true]);
});
