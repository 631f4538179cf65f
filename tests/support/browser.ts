import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Whether there is a browser to look with. In the gate there must be one, so nothing is left out there. */
export const hasBrowser = existsSync(EXECUTABLE) || process.env.CI !== undefined;

/** A headless browser that keeps to itself. */
export function launchBrowser(): Promise<Browser> {
  const off = ['gpu', 'background-networking', 'component-update', 'sync'].map((name) => `--disable-${name}`);
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox', ...off] });
}
