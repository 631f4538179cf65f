import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { differencesFrom } from '../../scripts/generate/differences.ts';
import { generateFiles } from '../../scripts/generate/files.ts';

test('generated/ is what the contract gives, byte for byte, and says so', { timeout: 60_000 }, async () => {
  const files = await generateFiles('.');
  expect(differencesFrom(files, 'generated')).toEqual([]);
  for (const [name, text] of files) expect(text.split('\n').slice(0, 2).join(), name).toContain('Do not edit');
});

test('a changed, a missing and a stray file are told', () => {
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
