import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The headless shell comes first: it draws no window around the page, which takes half of a headless Chromium's time. */
const USUAL = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const EXECUTABLE = process.env.CHROMIUM ?? USUAL.find(existsSync) ?? USUAL[0]!;

/** Whether to run the browser tests. In CI, a missing browser fails the tests instead of skipping them. */
export const runsBrowserTests = existsSync(EXECUTABLE) || process.env.CI !== undefined;

/** A headless browser that makes no requests of its own. @param options more command-line options */
export function launchBrowser(...options: readonly string[]): Promise<Browser> {
  const off = ['gpu', 'background-networking', 'component-update', 'sync'].map((name) => `--disable-${name}`);
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox', ...off, ...options] });
}
