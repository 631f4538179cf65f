import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Whether to run the browser tests. In CI, a missing browser fails the tests instead of skipping them. */
export const runsBrowserTests = existsSync(EXECUTABLE) || process.env.CI !== undefined;

/** A headless browser that makes no requests of its own. */
export function launchBrowser(): Promise<Browser> {
  const off = ['gpu', 'background-networking', 'component-update', 'sync'].map((name) => `--disable-${name}`);
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox', ...off] });
}
