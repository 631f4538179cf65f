import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Focus, focusSeen, hasBegun } from './in-page.js';

/** Long enough for the slowest machine. It only ends a wait for something that never happens. */
const PATIENCE = { timeout: 30_000 } as const;

/** Retries an assertion about `given` until it passes. */
export function eventually<T>(given: () => T) {
  return expect.poll(given, PATIENCE);
}

/** Waits until the focused element matches `seen`. @returns null if no element has the focus */
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

/** Returns the elements that the Tab key reaches, in order. */
async function tour(page: Page): Promise<Focus[]> {
  const stops: Focus[] = [];
  await page.waitForFunction(hasBegun);
  let focus = await focusOn(page, { isOutlined: true });
  do {
    if (focus !== null) stops.push(focus);
    await page.keyboard.press('Tab');
    focus = await focusOn(page, { isOutlined: true });
  } while (focus !== null && focus.name !== stops[0]?.name);
  return stops;
}

/** Expects the Tab key to move through these elements, and through those of the page itself in the order of reading. */
export async function expectReadingOrder(
  page: Page,
  before: readonly string[],
  names: readonly unknown[],
): Promise<void> {
  const stops = await tour(page);
  expect(stops.map(({ name }) => name)).toEqual([...before, ...names]);
  const own = stops.slice(before.length);
  expect(own).toEqual([...own].sort((a, b) => a.top - b.top || a.left - b.left));
}
