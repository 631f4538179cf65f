import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { FAILURE_BODIES } from '../../generated/failure-bodies.ts';
import { EXAMPLE_URL, OPERATIONS } from '../../generated/server.ts';
import webhooks from '../../generated/webhooks.json' with { type: 'json' };
import { DOCS_FOLDER } from '../../server/files.ts';
import { runsBrowserTests } from '../support/browser.ts';
import { run } from '../support/run.ts';
import { testServer } from '../support/started.ts';
import { complaintsOf } from './support/complaints.ts';
import { eventually } from './support/focus.ts';
import { recordHeadings } from './support/in-page.js';
import { sharedBrowser } from './support/visitor.ts';

/** What the documentation is built from. */
const SOURCES = ['generated', 'scripts', 'docs/reference', 'arazzo', 'redocly.yaml', 'package-lock.json'];
/** A phone at the edge of a city. */
const SLOW = { offline: false, latency: 100, downloadThroughput: 500_000, uploadThroughput: 100_000 };
const PUBLIC_URL = 'https://rides.example';
/** The most bytes that a visitor downloads on the first visit. */
const MOST_BYTES = 700_000;

/** Finds the tables that are wider than an element around them, which would cut them or scroll. */
const CUT_TABLES = `[...document.querySelectorAll('table')].flatMap((table) => {
  const { left, right, width } = table.getBoundingClientRect();
  if (width === 0) return [];
  for (let box = table; box !== null; box = box.parentElement) {
    const around = box.getBoundingClientRect();
    const isCut = left < around.left - 1 || right > around.right + 1 || right > innerWidth + 1;
    if (isCut || (box === table && table.scrollWidth > table.clientWidth + 1)) return [table.innerText.slice(0, 60)];
  }
  return [];
})`;

/** Finds samples that are cut, and headings that are cut or longer than two lines, beside labels; an error code has one line. */
const CUT_TEXTS = `[...document.querySelectorAll('main pre, main :is(h1, h2, h3)')].flatMap((element) => {
  const { scrollWidth, clientWidth, tagName, textContent } = element;
  const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).flatMap((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].map(({ bottom }) => bottom);
  });
  const lines = new Set(texts).size;
  const isLong = tagName !== 'PRE' && lines > (/_/.test(textContent) ? 1 : 2);
  return scrollWidth > clientWidth + 1 || isLong ? [textContent.slice(0, 60)] : [];
})`;

/** Whether the menu's button stays in the bar above the text. Wide windows have no such button. */
const IS_MENU_APART = `(() => {
  const button = document.querySelector('[aria-label="Open navigation menu"]');
  const bar = Number.parseFloat(getComputedStyle(document.body).paddingTop);
  return button === null || button.getBoundingClientRect().bottom <= bar;
})()`;

/** What the styles show before each cell of the first row of the first table. */
const CELL_NAMES = `[...document.querySelector('tbody tr').cells].map((td) => getComputedStyle(td, '::before').content)`;

// `npm ci` has built it from the same sources, unless somebody has changed them since
const builtAt = statSync(join(DOCS_FOLDER, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const isCurrent = SOURCES.flatMap(filesIn).every((file) => statSync(file).mtimeMs < builtAt);
const built = isCurrent ? Promise.resolve() : promisify(execFile)('node_modules/.bin/tsx', ['scripts/docs.ts']);
const server = testServer('sqlite', { withPages: true, publicUrl: PUBLIC_URL });

describe.skipIf(!runsBrowserTests).each([
  ['as one file, without a network', () => pathToFileURL(join(DOCS_FOLDER, 'index.html')).href, EXAMPLE_URL],
  ['as served', () => `${server.baseUrl}/docs`, PUBLIC_URL],
])('the documentation, %s', (_, urlOf, serverUrl) => {
  let url: string;
  let page: Page;
  let complaints: readonly string[];

  beforeAll(async () => {
    await built;
    url = urlOf();
    page = await (await sharedBrowser()).newPage({ offline: url.startsWith('file:') });
    complaints = complaintsOf(page, [new URL(url).origin]);
  });
  // the page requests no other origin, follows its policy, and logs no error
  afterEach(() => expect(complaints).toEqual([]));
  afterAll(() => page.close());

  const heading = (text: string | RegExp) => page.getByRole('heading', { name: text }).first();

  test('opens at the section on versions, where the Link header of a deprecation leads', async () => {
    await page.goto(`${url}#section/Versions`);
    const shown = page.locator('h2', { hasText: /^Versions$/ });
    // the heading is at the top of the window, far down the page
    await eventually(async () => (await shown.boundingBox())?.y).toSatisfy((y?: number) => y! >= 0 && y! < 300);
    await eventually(() => page.evaluate('scrollY')).toBeGreaterThan(1000);
  });

  test('links to the home page, the contract and the portal', async () => {
    for (const [name, path] of [
      ['Home', '/'],
      ['openapi.yaml', '/openapi.yaml'],
      ['openapi.json', '/openapi.json'],
      ['Developer portal', '/portal'],
    ] as const) {
      const link = page.getByRole('link', { name, exact: true }).first();
      expect(await link.getAttribute('href')).toBe(serverUrl + path);
    }
  });

  test('shows code samples in three languages, with the URL of its server', async () => {
    await page.goto(`${url}#operation/getProfile`);
    await heading(OPERATIONS.getProfile.summary).waitFor();
    await page.getByText(`curl ${serverUrl}${OPERATIONS.getProfile.path}`).first().waitFor();
    await page.getByText('curl', { exact: true }).filter({ visible: true }).first().click();
    for (const language of ['TypeScript', 'Python']) {
      await page.getByText(language, { exact: true }).filter({ visible: true }).first().waitFor();
    }
  });

  test('can be searched', async () => {
    await page.goto(url);
    await page.getByText('Search', { exact: false }).first().click();
    const found = page.getByTestId('search-dialog');
    const search = (word: string) => page.getByRole('textbox').first().fill(word);
    for (const word of ['surge', 'fare', 'refund']) {
      await search('nothing has this word');
      await found
        .getByText(/receipt|surge|fare|refund/i)
        .first()
        .waitFor({ state: 'detached' });
      await search(word);
      await found.getByText(new RegExp(word, 'i')).nth(1).waitFor();
    }
    const first = found.getByRole('link').first();
    for (const [words, operation] of [
      ['price', 'estimateCost'],
      ['cancel', 'cancelRide'],
      ['drivers', 'listDrivers'],
      ['eta', 'estimateEta'],
    ] as const) {
      await search(words);
      await eventually(() => first.innerText()).toContain(OPERATIONS[operation].summary);
    }
    for (const word of ['paging', 'idempotent', 'promo code', 'a few seconds later']) {
      await search(word);
      await eventually(() => found.innerText()).toMatch(new RegExp(word, 'i'));
    }
    await search('promo code');
    await first.click();
    await heading('Promo code').waitFor();
  });

  test('can be searched on phones', async () => {
    await page.setViewportSize({ width: 375, height: 667 });
    await page.goto(url);
    await page.getByLabel('Open navigation menu').click();
    await page.getByTestId('search-trigger').click();
    await page.getByTestId('search-dialog').waitFor();
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.keyboard.press('Escape');
  });

  test('can be read before its script runs', async () => {
    const reader = await (await sharedBrowser()).newPage({ javaScriptEnabled: false });
    await reader.goto(url);
    for (const title of ['Getting started', 'Conventions', 'Error responses', 'Limits']) {
      await reader.getByRole('heading', { name: title }).waitFor();
    }
    await reader.getByText('An integer in minor units').waitFor();
    await reader.close();
  });

  test('opens at the heading of an error, where the documentation_url of its body leads', async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    const { documentation_url: link } = FAILURE_BODIES.requestRide.no_drivers_available!;
    await page.goto(`${url}${new URL(String(link)).hash}`);
    const shown = page.locator('h2', { hasText: /^no_drivers_available$/ });
    await eventually(async () => (await shown.boundingBox())?.y).toSatisfy((y?: number) => y! >= 0 && y! < 300);
    await page.getByText('No driver of this ride type is free near the pickup.').waitFor();
  });

  // the file has the same content and program, and opening each part again is slow
  if (serverUrl === EXAMPLE_URL) return;

  const operations = Object.entries(OPERATIONS).map(([id, { summary, tag }]) => [summary, id, tag] as const);
  const webhooksShown = Object.values(webhooks.webhooks).map(
    ({ post }) => [post.summary, post.operationId, ''] as const,
  );
  const shown = [...operations, ...webhooksShown];
  // the same template shows each of a tag, and each takes half a second
  const firstOfEachTag = [...new Map(shown.toReversed().map((one) => [one[2], one])).values()];
  test.each(run === 'long' ? shown : firstOfEachTag)('shows "%s"', async (summary, id) => {
    await page.goto(`${url}#operation/${id}`);
    await heading(summary).waitFor();
  });

  test('shows the decisions', async () => {
    await page.goto(`${url}#tag/Decisions`);
    await heading('Decisions').waitFor();
    await page.getByText('Why:', { exact: true }).first().waitFor();
  });

  test('shows every error in a table that fits and links to the operations', async () => {
    await page.goto(`${url}#tag/Errors`);
    const table = page.getByRole('table').filter({ hasText: 'Returned by' });
    await table.waitFor();
    const codes = Object.values(OPERATIONS).flatMap(({ failures }) => Object.keys(failures));
    const shown = (await table.locator('td:first-child').allInnerTexts()).map((cell) => cell.split(/\s/)[0]);
    expect(shown).toEqual(expect.arrayContaining(codes));
    await page.setViewportSize({ width: 1500, height: 900 });
    const around = table.locator('..');
    const spare = async () => (await around.boundingBox())!.width - (await table.boundingBox())!.width;
    await eventually(spare).toBeGreaterThanOrEqual(0);
    await table.getByRole('link', { name: OPERATIONS.cancelRide.summary, exact: true }).first().click();
    await heading('Cancel a ride').waitFor();
  });

  test('shows each call of the workflows with its response', async () => {
    await page.goto(`${url}#tag/Workflows`);
    const rows = page.getByRole('table').filter({ hasText: 'What happens' }).first().getByRole('row');
    await rows
      .filter({ hasText: OPERATIONS.getReceipt.summary })
      .filter({ hasText: '404 receipt_not_available' })
      .waitFor();
  });

  test.each([1280, 375])('cuts no table at a width of %i', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    for (const place of ['section/Conventions', 'tag/Errors', 'tag/Workflows', 'tag/Decisions']) {
      await page.goto(`${url}#${place}`);
      await eventually(() => page.evaluate(CUT_TABLES)).toEqual([]);
    }
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test.each([1280, 375])('cuts no sample and no heading, and covers no text, at a width of %i', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    for (const place of ['operation/listPickupEtas', 'tag/Errors/primetime_confirmation_required', 'tag/Webhooks']) {
      await page.goto(`${url}#${place}`);
      await heading(/List nearby drivers with|primetime_conf|Webhooks/).waitFor();
      await eventually(() => page.evaluate(CUT_TEXTS)).toEqual([]);
      expect(await page.evaluate(IS_MENU_APART)).toBe(true);
    }
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test('names the column in each cell of a table on phones', async () => {
    await page.setViewportSize({ width: 375, height: 800 });
    await page.goto(`${url}#operation/estimateEta`);
    const table = page.locator('table').filter({ hasText: 'is_valid_estimate' });
    await table.waitFor();
    expect(await page.evaluate(CELL_NAMES)).toEqual(['"eta_seconds: "', '"is_valid_estimate: "', '"Meaning: "']);
    expect(await table.locator('thead').isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 720 });
    await eventually(() => table.locator('thead').isVisible()).toBe(true);
  });
});

describe('the documentation on a server', () => {
  const accept = { 'Accept-Encoding': 'br' };

  test.skipIf(!runsBrowserTests).each([
    ['tag/Errors/no_drivers_available', 'no_drivers_available'],
    ['operation/cancelRide', OPERATIONS.cancelRide.summary],
    ['operation/onRideStatusUpdated', "Receive a ride's new status"],
    ['section/Versions', 'Versions'],
  ])('on a slow network, #%s first shows its own heading, and nothing moves it away', async (anchor, title) => {
    await built;
    const page = await (await sharedBrowser()).newPage();
    await page.addInitScript(recordHeadings);
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', SLOW);
    await page.goto(`${server.baseUrl}/docs#${anchor}`);
    await page.getByText('Search', { exact: false }).first().waitFor();
    await page.waitForLoadState('networkidle');
    const frames = await page.evaluate<string[][]>('headingsSeen');
    await page.close();
    expect(frames[0]).toEqual([]);
    for (const headings of frames.slice(1)) expect(headings.join('\n')).toContain(title);
    expect(frames.length).toBeGreaterThan(1);
  });

  const parts = async () => {
    await built;
    const page = await (await fetch(`${server.baseUrl}/docs`)).text();
    return ['/docs', ...[...page.matchAll(/<(?:link|script) [^>]*(?:href|src)="([^"]+)"/g)].map(([, part]) => part!)];
  };

  test('is small enough for a first visit', async () => {
    const lengths = (await parts()).map(async (path) => {
      const { headers } = await fetch(server.baseUrl + path, { method: 'HEAD', headers: accept });
      expect([path, headers.get('content-encoding')]).toEqual([path, 'br']);
      return Number(headers.get('content-length'));
    });
    const sizes = await Promise.all(lengths);
    expect(sizes).toHaveLength(3);
    expect(Math.min(...sizes)).toBeGreaterThan(10_000);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MOST_BYTES);
  });

  test('names no other server, and its policy allows only its own inline scripts', async () => {
    for (const path of await parts()) {
      const text = await (await fetch(server.baseUrl + path)).text();
      expect(text, path).not.toContain(new URL(EXAMPLE_URL).host);
    }
    const { headers } = await fetch(`${server.baseUrl}/docs`);
    const scripts = headers.get('content-security-policy')?.match(/script-src ([^;]*)/)?.[1];
    expect(scripts).toMatch(/^'self'( 'sha256-[\w+/=]+')+$/);
  });
});

/** A file or folder, and everything in it. */
function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return [path, ...readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))];
}
