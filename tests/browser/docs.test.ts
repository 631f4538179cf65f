import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import webhooks from '../../generated/webhooks.json' with { type: 'json' };
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { eventually } from './support/focus.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'ridehail-docs-'));
const FILE = join(FOLDER, 'index.html');
const URL_OF_PAGE = pathToFileURL(FILE).href;

describe.skipIf(!hasBrowser)('the documentation, in a browser without a network', () => {
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    await promisify(execFile)('node_modules/.bin/tsx', ['scripts/docs.ts', FILE]);
    browser = await launchBrowser();
    page = await browser.newPage({ offline: true });
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => /^https?:/.test(request.url()) && complaints.push(`asked for ${request.url()}`));
  });
  // the page requests no other origin, and logs no error
  afterEach(() => expect(complaints).toEqual([]));
  afterAll(async () => {
    await browser.close();
    rmSync(FOLDER, { recursive: true });
  });

  const heading = (text: string) => page.getByRole('heading', { name: text }).first();

  const operations = Object.entries(OPERATIONS).map(([id, { summary }]) => [summary, id] as const);
  const webhooksShown = Object.values(webhooks.webhooks).map(({ post }) => [post.summary, post.operationId] as const);
  test.each([...operations, ...webhooksShown])('shows "%s"', async (summary, id) => {
    await page.goto(`${URL_OF_PAGE}#operation/${id}`);
    await heading(summary).waitFor();
  });

  test('opens, where the Link header of a deprecation leads, at how versions come and go', async () => {
    await page.goto(`${URL_OF_PAGE}#section/Versions`);
    const shown = page.locator('h2', { hasText: /^Versions$/ });
    // the heading is at the top of the window, far down the page
    await eventually(async () => (await shown.boundingBox())?.y).toSatisfy((y?: number) => y! >= 0 && y! < 300);
    await eventually(() => page.evaluate('scrollY')).toBeGreaterThan(1000);
  });

  test('shows the decisions', async () => {
    await page.goto(`${URL_OF_PAGE}#tag/Decisions`);
    await heading('Decisions').waitFor();
    await page.getByRole('table').getByText('Why', { exact: true }).first().waitFor();
  });

  test('shows every error in a table that fits, and leads from there to an operation', async () => {
    await page.goto(`${URL_OF_PAGE}#tag/Errors`);
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
    await page.goto(`${URL_OF_PAGE}#tag/Workflows`);
    const rows = page.getByRole('table').filter({ hasText: 'What happens' }).first().getByRole('row');
    await rows.filter({ hasText: 'getReceipt' }).filter({ hasText: '404 receipt_not_available' }).waitFor();
  });

  test('offers samples of code in three languages', async () => {
    await page.goto(`${URL_OF_PAGE}#operation/getProfile`);
    await page.getByText('curl', { exact: true }).filter({ visible: true }).first().click();
    for (const language of ['TypeScript', 'Python']) {
      await page.getByText(language, { exact: true }).filter({ visible: true }).first().waitFor();
    }
  });
});
