import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Focus, focusSeen } from './in-page.js';

/** Long enough for the slowest machine: the timeout only ends a wait for something that never happens. */
const PATIENCE = { timeout: 30_000 } as const;

/** Retries an assertion about `given` until it passes. */
export function eventually<T>(given: () => T) {
  return expect.poll(given, PATIENCE);
}

/** The focused element, once it looks like `seen`; null: none has the focus. */
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
