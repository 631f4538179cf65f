import { expect, test } from 'vitest';
import { newWakeup } from '../../server/webhooks/delivery/wakeup.ts';

/** A test that slept this long would fail. */
const FOREVER = 2 ** 31 - 1;

test('a sleeper wakes when it is called, or after its time', async () => {
  const wakeup = newWakeup();
  const slept = wakeup.sleep(FOREVER);
  wakeup.wake();
  await slept;
  await wakeup.sleep(1);
});

test('a call without a sleeper wakes the next sleeper at once, and no other', async () => {
  const wakeup = newWakeup();
  wakeup.wake();
  wakeup.wake();
  await wakeup.sleep(FOREVER);
  let isOver = false;
  const slept = wakeup.sleep(FOREVER).then(() => {
    isOver = true;
  });
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  wakeup.wake();
  await slept;
});
