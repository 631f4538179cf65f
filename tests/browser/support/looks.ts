import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { View } from '../../support/visitor.ts';
import { complaintsOf } from './complaints.ts';
import { focusFaults, violations, whatIsSeen, write } from './in-page.js';
import { sharedBrowser } from './visitor.ts';

/** The width of a desktop page at a zoom of 400% (WCAG 2.1, 1.4.10), in a low window. What fits it also fits phones. */
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
  { viewport: NARROWEST, colorScheme: 'dark', rules: RULES_OF_LOOKS, asked: '[name=decision]' },
  { viewport: DESK, colorScheme: 'light', rules: EVERY_RULE, asked: '.step .buttons button' },
] as const;

/**
 * Returns the faults of a page at each width and in each color scheme. Saves screenshots if SCREENSHOTS names a folder.
 * @param name of the screenshots
 */
export async function faultsOfLooks({ url, markup }: Pick<View, 'url' | 'markup'>, name: string): Promise<string[]> {
  const faults: string[] = [];
  copied = url.origin;
  for (const look of LOOKS) {
    if (!copies.has(look)) copies.set(look, newCopy(look));
    const { copy, complaints } = await copies.get(look)!;
    const { viewport, colorScheme, rules, asked } = look;
    await copy.evaluate(write, markup);
    const seen = await copy.evaluate(whatIsSeen, asked);
    if (seen.overflow > 0) faults.push(`scrolls sideways by ${seen.overflow}px at ${viewport.width}px`);
    for (const src of seen.broken) faults.push(`does not show ${src}`);
    for (const button of seen.unseen) faults.push(`shows ${button} only below the window of ${viewport.width}px`);
    for (const code of seen.uncopied) faults.push(`has no button that copies ${code}`);
    if (seen.headings !== 1) faults.push(`has ${seen.headings} headings`);
    const found = await copy.evaluate(violations, rules);
    faults.push(...found.map((violation) => `${violation} (${colorScheme}, ${viewport.width}px)`));
    faults.push(...(await copy.evaluate(focusFaults)));
    faults.push(...complaints.splice(0));
    await photograph(copy, `${name} ${viewport.width} ${colorScheme}`);
  }
  return faults;
}

type Look = (typeof LOOKS)[number];
interface Copy {
  readonly copy: Page;
  readonly complaints: string[];
}
const copies = new Map<Look, Promise<Copy>>();
let copied = '';
/** Keeps the copies at one origin, whichever server they show: at a new one, they would compile axe again. */
const standIn = createServer((req, res) => {
  const asked = get(copied + req.url, { headers: req.headers }, (answer) => {
    answer.pipe(res.writeHead(answer.statusCode!, answer.headers));
  });
  // the browser can ask for more than the test waits for
  asked.on('error', () => void res.destroy());
});

/** Opens a page with this look and axe, at the home page of the server, for its policy. */
async function newCopy(look: Look): Promise<Copy> {
  if (!standIn.listening) await once(standIn.listen(0, '127.0.0.1').unref(), 'listening');
  const context = await (await sharedBrowser()).newContext(look);
  await context.addInitScript(axe.source);
  const copy = await context.newPage();
  const origin = `http://127.0.0.1:${(standIn.address() as AddressInfo).port}`;
  const complaints = complaintsOf(copy, [origin]);
  await copy.goto(origin);
  return { copy, complaints };
}

async function photograph(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS: folder } = process.env;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name.replaceAll(/[^\w]+/g, '-')}.png`, fullPage: true });
}
