import { mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { SECOND_MS } from '../../server/domain/time.ts';
import { type DatabaseFile, watchFile } from '../../server/store/file.ts';
import { mayPassLater } from '../../server/store/transaction.ts';

let path: string;
let now: number;
let file: DatabaseFile;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  path = join(folder, 'ridehail.db');
  writeFileSync(path, 'rows');
  now = 0;
  file = watchFile(path, () => now);
  file.assertThere();
  file.assertRoom();
});

/** Whether a check fails with an error that means: the same call may succeed later. */
function isTold(check: () => void): boolean {
  try {
    check();
    return false;
  } catch (error) {
    expect(mayPassLater(error), String(error)).toBe(true);
    expect(String(error)).toContain(path);
    return true;
  }
}

test.each<[string, () => void]>([
  ['is deleted', () => rmSync(path)],
  ['is moved', () => renameSync(path, `${path}.old`)],
  [
    'is replaced by a backup',
    () => {
      writeFileSync(`${path}.backup`, 'rows');
      renameSync(`${path}.backup`, path);
    },
  ],
])('a file that %s is missed after a second', (_, happen) => {
  happen();
  now = SECOND_MS - 1;
  expect(isTold(file.assertThere)).toBe(false);
  now = SECOND_MS;
  expect(isTold(file.assertThere)).toBe(true);
});

test('a file that is put back is there again after a second', () => {
  renameSync(path, `${path}.old`);
  now = SECOND_MS;
  expect(isTold(file.assertThere)).toBe(true);
  renameSync(`${path}.old`, path);
  expect(isTold(file.assertThere)).toBe(true);
  now = 2 * SECOND_MS;
  expect(isTold(file.assertThere)).toBe(false);
});

test('that nothing can be written is noticed after a second, and so is that it can again', () => {
  // a folder in the way of what the check writes
  mkdirSync(`${path}.probe`);
  now = SECOND_MS - 1;
  expect(isTold(file.assertRoom)).toBe(false);
  now = SECOND_MS;
  expect(isTold(file.assertRoom)).toBe(true);
  rmdirSync(`${path}.probe`);
  now = 2 * SECOND_MS;
  expect(isTold(file.assertRoom)).toBe(false);
});

test('the check for room leaves nothing behind', () => {
  expect(statSync(`${path}.probe`, { throwIfNoEntry: false })).toBeUndefined();
});
