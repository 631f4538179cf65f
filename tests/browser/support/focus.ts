import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Focus, focusSeen } from './in-page.js';

/** However slow the machine is: this ends only what waits for what never comes. */
const PATIENCE = { timeout: 30_000 } as const;

/** Waits until an assertion about what is `given` by then holds. */
export function eventually<T>(given: () => T) {
  return expect.poll(given, PATIENCE);
}

/** What the keyboard acts on, once it can be seen as it must be; null: nothing. */
export async function focusOn(
  page: Page,
  seen: Partial<Focus> = { isOutlined: true, isInSight: true },
): Promise<Focus | null> {
  let focus: Focus | null = null;
  const look = async () => {
    focus = await page.evaluate(focusSeen);
    return focus ?? seen;
  };
  await eventually(look).toMatchObject(seen);
  return focus;
}
