import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationsOf, webhooksOf } from '../../scripts/generate/contract.ts';
import { contract } from './support/contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'docs-'));
let page: string;

beforeAll(() => {
  const file = join(folder, 'index.html');
  execFileSync('node_modules/.bin/tsx', ['scripts/docs.ts', file], { stdio: 'pipe' });
  page = readFileSync(file, 'utf8');
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

test('the page loads nothing from anywhere', () => {
  const head = page.slice(0, page.indexOf('<body'));
  const loads = [...head.matchAll(/<(?:script|link|img|iframe)[^>]*(?:src|href)="([^"]+)"/g)].map(([, url]) => url);
  expect(loads).toEqual([]);
  expect(page).not.toMatch(/<script[^>]+src=/);
});

test('the page has every operation and every webhook', () => {
  for (const { operation } of [...operationsOf(contract), ...webhooksOf(contract)]) {
    expect(page).toContain(JSON.stringify(operation.summary));
  }
});

test('the page shows scopes and limits', () => {
  expect(page).toContain('"showExtensions":["x-rate-limit","x-no-rate-limit"]');
  expect(page).toContain('"Decisions"');
});
