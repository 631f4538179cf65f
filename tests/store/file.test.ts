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

/** Whether a check fails with an error that says that the same call may succeed later. */
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
])('the check notices a file that %s after a second', (_, happen) => {
  happen();
  now = SECOND_MS - 1;
  expect(isTold(file.assertThere)).toBe(false);
  now = SECOND_MS;
  expect(isTold(file.assertThere)).toBe(true);
});

test('the check succeeds again a second after the file is put back', () => {
  renameSync(path, `${path}.old`);
  now = SECOND_MS;
  expect(isTold(file.assertThere)).toBe(true);
  renameSync(`${path}.old`, path);
  expect(isTold(file.assertThere)).toBe(true);
  now = 2 * SECOND_MS;
  expect(isTold(file.assertThere)).toBe(false);
});

test('the check notices after a second that nothing can be written, and that writing works again', () => {
  // a folder at the path of the file that the check writes
  mkdirSync(`${path}.probe`);
  now = SECOND_MS - 1;
  expect(isTold(file.assertRoom)).toBe(false);
  now = SECOND_MS;
  expect(isTold(file.assertRoom)).toBe(true);
  rmdirSync(`${path}.probe`);
  now = 2 * SECOND_MS;
  expect(isTold(file.assertRoom)).toBe(false);
});

test('the check for free space leaves no file behind', () => {
  expect(statSync(`${path}.probe`, { throwIfNoEntry: false })).toBeUndefined();
});
