import { mkdirSync } from 'node:fs';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { looksLike, violations, whatIsSeen } from './in-page.js';

/** The width of a desktop page at a zoom of 400% (WCAG 2.1, 1.4.10). What fits it also fits phones. */
const NARROWEST = { width: 320, height: 568 };
const DESK = { width: 1280, height: 800 };
/**
 * The rules that depend on the width or the color scheme. No width shows or hides an element: tests/pages/pages.test.ts
 * reads the style sheet.
 */
const RULES_OF_LOOKS = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];
const EVERY_RULE = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const LOOKS = [
  // no color depends on the width
  { viewport: NARROWEST, colorScheme: 'dark', rules: RULES_OF_LOOKS },
  // the last look stays, and is the usual one
  { viewport: DESK, colorScheme: 'light', rules: EVERY_RULE },
] as const;

/**
 * Returns the faults of the open page at each width and in each color scheme. Saves screenshots if SCREENSHOTS names a
 * folder.
 * @param name of the screenshots
 */
export async function faultsOfLooks(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  await page.waitForLoadState();
  await page.evaluate(axe.source);
  for (const { viewport, colorScheme, rules } of LOOKS) {
    const { width } = viewport;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction(looksLike, { width, colorScheme });
    const seen = await page.evaluate(whatIsSeen);
    if (seen.overflow > 0) faults.push(`scrolls sideways by ${seen.overflow}px at ${width}px`);
    for (const src of seen.broken) faults.push(`does not show ${src}`);
    if (seen.headings !== 1) faults.push(`has ${seen.headings} headings`);
    const found = await page.evaluate(violations, rules);
    faults.push(...found.map((violation) => `${violation} (${colorScheme}, ${width}px)`));
    await photograph(page, `${name} ${width} ${colorScheme}`);
  }
  return faults;
}

async function photograph(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS: folder } = process.env;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name.replaceAll(/[^\w]+/g, '-')}.png`, fullPage: true });
}
