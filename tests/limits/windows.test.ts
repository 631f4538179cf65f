import { beforeEach, expect, test, vi } from 'vitest';
import { countInWindows, MOST_KEYS_OF_A_LIMIT } from '../../server/limits/windows.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { TUESDAY_MORNING } from '../support/server.ts';

const WINDOW = 60;
const WINDOW_MS = WINDOW * 1000;

beforeEach(() => fakeTimers(['Date', 'setInterval', 'clearInterval'], TUESDAY_MORNING));

test('a window begins with the first call of its key, and the next one with the first call after its end', () => {
  const { count } = countInWindows(WINDOW);
  expect(count('a')).toEqual({ calls: 1, msLeft: WINDOW_MS });
  vi.setSystemTime(TUESDAY_MORNING + 1000);
  expect(count('b')).toEqual({ calls: 1, msLeft: WINDOW_MS });
  vi.setSystemTime(TUESDAY_MORNING + WINDOW_MS - 1);
  expect(count('a')).toEqual({ calls: 2, msLeft: 1 });
  vi.setSystemTime(TUESDAY_MORNING + WINDOW_MS);
  expect(count('a')).toEqual({ calls: 1, msLeft: WINDOW_MS });
  expect(count('b')).toEqual({ calls: 2, msLeft: 1000 });
});

test('if the clock is set back, a new window begins', () => {
  const { count } = countInWindows(WINDOW);
  count('a');
  vi.setSystemTime(TUESDAY_MORNING - 1);
  expect(count('a')).toEqual({ calls: 1, msLeft: WINDOW_MS });
});

test('a limit counts a maximum number of keys at once, and a further one replaces the one whose window ends first', () => {
  const { count, size } = countInWindows(WINDOW);
  for (let i = 0; i < MOST_KEYS_OF_A_LIMIT; i++) count(String(i));
  for (const key of ['0', 'further']) count(key);
  expect(size()).toBe(MOST_KEYS_OF_A_LIMIT);
  expect(['1', '0'].map((key) => count(key).calls)).toEqual([2, 1]);
});

test('a key is removed when its window is over', () => {
  const { count, size } = countInWindows(WINDOW);
  for (let i = 0; i < 20; i++) {
    count(String(i));
    vi.advanceTimersByTime(100);
  }
  vi.advanceTimersByTime(WINDOW_MS - 2001);
  expect(size()).toBe(20);
  vi.advanceTimersByTime(1);
  expect(size()).toBe(19);
  // within a second
  vi.advanceTimersByTime(3000);
  expect(size()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
