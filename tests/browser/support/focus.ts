import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Focus, focusSeen, hasBegun } from './in-page.js';

/** Long enough for the slowest machine. It only ends a wait for something that never happens. */
const PATIENCE = { timeout: 30_000 } as const;

/** Retries an assertion about `given` until it passes. */
export function eventually<T>(given: () => T) {
  return expect.poll(given, PATIENCE);
}

/** Waits until the whole focused element and its outline are in sight. @returns null if no element has the focus */
export async function focusOn(page: Page): Promise<Focus | null> {
  const seen = { isOutlined: true, isInSight: true };
  let focus: Focus | null = null;
  const look = async () => {
    focus = await page.evaluate(focusSeen);
    return focus ?? seen;
  };
  await eventually(look).toMatchObject(seen);
  return focus;
}

/** Presses Tab until the element with this name has a visible focus. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  await page.waitForFunction(hasBegun);
  for (let presses = 0; presses < 30; presses += 1) {
    const focus = await focusOn(page);
    if (focus !== null && (typeof name === 'string' ? focus.name === name : name.test(focus.name))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not reach ${name}`);
}

/** Types into the field with this label. */
export async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label);
  await page.keyboard.type(text);
}

/** Presses Enter on the link or button with this name. */
export async function enter(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}
