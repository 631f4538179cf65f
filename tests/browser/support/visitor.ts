import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, expect, onTestFinished } from 'vitest';
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

let browser: Promise<Browser> | undefined;

/** The browser of all tests of a worker. It ends with the worker. */
export function sharedBrowser(): Promise<Browser> {
  // compiling scripts for speed takes longer than it saves, and so does a new frame for each page
  browser ??= launchBrowser('--js-flags=--no-opt --no-maglev', '--enable-features=RenderDocument:level/crashed-frame');
  return browser;
}

/** @param originsOf returns the origins that the pages may request */
export function visitor(originsOf: () => readonly string[]): Visitor {
  const complaints: string[] = [];
  let shared: Page | undefined;
  const open = async (options?: BrowserContextOptions) => {
    const context = await (await sharedBrowser()).newContext(options);
    context.on('page', (page) => complaintsOf(page, originsOf(), complaints));
    return context.newPage();
  };
  afterEach(() => expect(complaints.splice(0)).toEqual([]));
  afterAll(() => shared?.context().close());
  const arrive = async () => {
    shared ??= await open();
    await shared.context().clearCookies();
    return shared;
  };
  const newPage = async (options?: BrowserContextOptions) => {
    const page = await open(options);
    onTestFinished(() => page.context().close());
    return page;
  };
  return { complaints, arrive, newPage };
}
