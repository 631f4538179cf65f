import { mkdirSync } from 'node:fs';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { looksLike, violations, whatIsSeen } from './in-page.js';

const PHONE = { width: 375, height: 667 };
const DESK = { width: 1280, height: 800 };
/** The width of a desktop page at a zoom of 400% (WCAG 2.1, 1.4.10). */
const NARROWEST = { width: 320, height: 568 };
const LOOKS = [
  // no color depends on the width
  { viewport: DESK, colorSchemes: ['dark'] },
  { viewport: PHONE, colorSchemes: ['light'] },
  // axe checks the other widths, which cover this one
  { viewport: NARROWEST, colorSchemes: [] },
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
  for (const { viewport, colorSchemes } of LOOKS) {
    await page.setViewportSize(viewport);
    await page.waitForFunction(looksLike, { width: viewport.width });
    const seen = await page.evaluate(whatIsSeen);
    if (seen.overflow > 0) faults.push(`scrolls sideways by ${seen.overflow}px at ${viewport.width}px`);
    for (const src of seen.broken) faults.push(`does not show ${src}`);
    if (seen.headings !== 1) faults.push(`has ${seen.headings} headings`);
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme });
      await page.waitForFunction(looksLike, { colorScheme });
      const found = await page.evaluate(violations);
      faults.push(...found.map((violation) => `${violation} (${colorScheme}, ${viewport.width}px)`));
      await photograph(page, `${name} ${viewport.width} ${colorScheme}`);
    }
  }
  return faults;
}

async function photograph(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS: folder } = process.env;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name.replaceAll(/[^\w]+/g, '-')}.png`, fullPage: true });
}
