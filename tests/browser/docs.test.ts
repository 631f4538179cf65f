import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLE_URL, OPERATIONS } from '../../generated/server.ts';
import webhooks from '../../generated/webhooks.json' with { type: 'json' };
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { testServer } from '../support/started.ts';
import { complaintsOf } from './support/complaints.ts';
import { eventually } from './support/focus.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'ridehail-docs-'));
const PUBLIC_URL = 'https://rides.example';
/** What a visitor loads at the first visit, in bytes. */
const MOST_BYTES = 700_000;

const built = promisify(execFile)('node_modules/.bin/tsx', ['scripts/docs.ts', join(FOLDER, 'index.html')]);
const server = testServer('sqlite', { withPages: true, docsFolder: FOLDER, publicUrl: PUBLIC_URL });
afterAll(() => rmSync(FOLDER, { recursive: true }));

describe.skipIf(!hasBrowser).each([
  ['as one file, without a network', () => pathToFileURL(join(FOLDER, 'index.html')).href, EXAMPLE_URL],
  ['as served', () => `${server.baseUrl}/docs`, PUBLIC_URL],
])('the documentation, %s', (_, urlOf, serverUrl) => {
  let url: string;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];

  beforeAll(async () => {
    [browser] = await Promise.all([launchBrowser(), built]);
    url = urlOf();
    page = await browser.newPage({ offline: url.startsWith('file:') });
    complaints = complaintsOf(page, [new URL(url).origin]);
  });
  // the page requests no other origin, keeps to its policy, and logs no error
  afterEach(() => expect(complaints).toEqual([]));
  afterAll(() => browser.close());

  const heading = (text: string) => page.getByRole('heading', { name: text }).first();

  const operations = Object.entries(OPERATIONS).map(([id, { summary }]) => [summary, id] as const);
  const webhooksShown = Object.values(webhooks.webhooks).map(({ post }) => [post.summary, post.operationId] as const);
  test.each([...operations, ...webhooksShown])('shows "%s"', async (summary, id) => {
    await page.goto(`${url}#operation/${id}`);
    await heading(summary).waitFor();
  });

  test('opens, where the Link header of a deprecation leads, at how versions come and go', async () => {
    await page.goto(`${url}#section/Versions`);
    const shown = page.locator('h2', { hasText: /^Versions$/ });
    // the heading is at the top of the window, far down the page
    await eventually(async () => (await shown.boundingBox())?.y).toSatisfy((y?: number) => y! >= 0 && y! < 300);
    await eventually(() => page.evaluate('scrollY')).toBeGreaterThan(1000);
  });

  test('shows the decisions', async () => {
    await page.goto(`${url}#tag/Decisions`);
    await heading('Decisions').waitFor();
    await page.getByRole('table').getByText('Why', { exact: true }).first().waitFor();
  });

  test('shows every error in a table that fits, and leads from there to an operation', async () => {
    await page.goto(`${url}#tag/Errors`);
    const table = page.getByRole('table').filter({ hasText: 'Answered by' });
    await table.waitFor();
    const codes = new Set(Object.values(OPERATIONS).flatMap(({ failures }) => Object.keys(failures)));
    for (const code of codes) await table.locator('td:first-child', { hasText: code }).first().waitFor();
    await page.setViewportSize({ width: 1500, height: 900 });
    const text = page.getByRole('paragraph').filter({ hasText: 'Each failure' });
    const spare = async () => (await text.boundingBox())!.width - (await table.boundingBox())!.width;
    await eventually(spare).toBeGreaterThanOrEqual(0);
    await table.getByRole('link', { name: 'cancelRide', exact: true }).first().click();
    await heading('Cancel a ride').waitFor();
  });

  test('shows the workflows, each call with what it is answered with', async () => {
    await page.goto(`${url}#tag/Workflows`);
    const rows = page.getByRole('table').filter({ hasText: 'What happens' }).first().getByRole('row');
    await rows.filter({ hasText: 'getReceipt' }).filter({ hasText: '404 receipt_not_available' }).waitFor();
  });

  test('offers samples of code in three languages', async () => {
    await page.goto(`${url}#operation/getProfile`);
    await page.getByText('curl', { exact: true }).filter({ visible: true }).first().click();
    for (const language of ['TypeScript', 'Python']) {
      await page.getByText(language, { exact: true }).filter({ visible: true }).first().waitFor();
    }
  });

  test('shows the URL of its server, and runs its samples there', async () => {
    await page.goto(`${url}#operation/getProfile`);
    await page.getByText('curl', { exact: true }).filter({ visible: true }).first().waitFor();
    await page.getByText(`curl ${serverUrl}${OPERATIONS.getProfile.path}`).first().waitFor();
  });

  test('is searched', async () => {
    await page.goto(url);
    await page.getByText('Search', { exact: false }).first().click();
    await page.getByRole('textbox').first().fill('receipt');
    await page.getByTestId('search-dialog').getByText(OPERATIONS.getReceipt.summary).waitFor();
  });

  test('can be read before its script runs', async () => {
    const reader = await browser.newPage({ javaScriptEnabled: false });
    await reader.goto(url);
    for (const title of ['Getting started', 'Conventions', 'Failures', 'Limits']) {
      await reader.getByRole('heading', { name: title }).waitFor();
    }
    await reader.getByText('An integer in minor units').waitFor();
    await reader.close();
  });
});

describe('the documentation that a server has', () => {
  const accept = { 'Accept-Encoding': 'br' };
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

  test('names no other server, and its policy allows no inline script but those of the page', async () => {
    for (const path of await parts()) {
      const text = await (await fetch(server.baseUrl + path)).text();
      expect(text, path).not.toContain(new URL(EXAMPLE_URL).host);
    }
    const { headers } = await fetch(`${server.baseUrl}/docs`);
    const scripts = headers.get('content-security-policy')?.match(/script-src ([^;]*)/)?.[1];
    expect(scripts).toMatch(/^'self'( 'sha256-[\w+/=]+')+$/);
  });
});
