import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { differencesFrom } from '../../scripts/generate/differences.ts';

// check:generated compares the files with the contract
test.each(readdirSync('generated'))('generated/%s says not to edit it', (name) => {
  const [first, second] = readFileSync(join('generated', name), 'utf8').split('\n');
  expect(`${first} ${second}`).toContain('Do not edit');
});

test('a changed, a missing and an unexpected file are reported', () => {
  const folder = mkdtempSync(join(tmpdir(), 'generated-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'kept'), 'as it should be');
  writeFileSync(join(folder, 'changed'), 'by hand');
  writeFileSync(join(folder, 'stray'), '');
  const files = new Map([
    ['kept', 'as it should be'],
    ['changed', 'as it should be'],
    ['missing', ''],
  ]);
  expect(differencesFrom(files, folder).sort()).toEqual(['changed', 'missing', 'stray']);
});
