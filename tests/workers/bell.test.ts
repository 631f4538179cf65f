import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Bell, newBell } from '../../server/workers/bell.ts';

let bell: Bell;
beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  bell = newBell();
});

/** Waits a second at most. @returns whether that is over */
function waitingFor(one: Bell): () => boolean {
  let isOver = false;
  void one.wait(1000).then(() => {
    isOver = true;
  });
  return () => isOver;
}

test('whoever waits is woken when it is rung, or when their time is up', async () => {
  const first = waitingFor(bell);
  await vi.advanceTimersByTimeAsync(999);
  expect(first()).toBe(false);
  bell.ring();
  await vi.advanceTimersByTimeAsync(0);
  expect(first()).toBe(true);
  const second = waitingFor(bell);
  await vi.advanceTimersByTimeAsync(999);
  expect(second()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(second()).toBe(true);
});

test('rung while nobody waits, it wakes the next one at once, and only that one', async () => {
  bell.ring();
  bell.ring();
  const first = waitingFor(bell);
  await vi.advanceTimersByTimeAsync(0);
  expect(first()).toBe(true);
  const second = waitingFor(bell);
  await vi.advanceTimersByTimeAsync(999);
  expect(second()).toBe(false);
});
