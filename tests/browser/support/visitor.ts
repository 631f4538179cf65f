import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { complaintsOf } from './complaints.ts';

/** A person with a browser, for the tests of a file or a `describe`. */
export interface Visitor {
  /** Of the pages of the current test, which fails if any are left at its end. */
  readonly complaints: string[];
  /** The page that the tests share, without cookies. A page of its own would cost each test a new process. */
  arrive(): Promise<Page>;
  /** A page in a new context, which closes at the end of the test. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
}

/** @param originsOf returns the origins that the pages may request */
export function visitor(originsOf: () => readonly string[]): Visitor {
  const complaints: string[] = [];
  let browser: Browser;
  let shared: Page | undefined;
  const newPage = async (options?: BrowserContextOptions) => {
    const page = await (await browser.newContext(options)).newPage();
    complaintsOf(page, originsOf(), complaints);
    return page;
  };
  beforeAll(async () => {
    // axe runs once in each page, and compiling it for speed takes longer than it saves
    browser = await launchBrowser('--js-flags=--no-opt --no-maglev');
  });
  afterEach(async () => {
    for (const context of browser.contexts()) if (context !== shared?.context()) await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(() => browser.close());
  const arrive = async () => {
    shared ??= await newPage();
    await shared.context().clearCookies();
    return shared;
  };
  return { complaints, arrive, newPage };
}
