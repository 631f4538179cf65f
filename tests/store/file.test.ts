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

const rename = (from: string, to: string) => renameSync(path + from, path + to);
const replace = () => {
  writeFileSync(`${path}.backup`, 'rows');
  rename('.backup', '');
};

test.each<['assertThere' | 'assertRoom', string, happen: () => void, mend?: () => void]>([
  ['assertThere', 'the file is deleted', () => rmSync(path)],
  ['assertThere', 'the file is moved', () => rename('', '.old'), () => rename('.old', '')],
  ['assertThere', 'the file is replaced by a backup', replace],
  // a folder at the path of the file that the check writes
  ['assertRoom', 'nothing can be written', () => mkdirSync(`${path}.probe`), () => rmdirSync(`${path}.probe`)],
])('%s notices a second later that %s, and that this is over', (name, _, happen, mend) => {
  const toldAt = (ms: number) => {
    now = ms;
    return isTold(file[name]);
  };
  happen();
  expect([SECOND_MS - 1, SECOND_MS].map(toldAt)).toEqual([false, true]);
  if (mend === undefined) return;
  mend();
  expect([2 * SECOND_MS - 1, 2 * SECOND_MS].map(toldAt)).toEqual([true, false]);
});

test('the check for free space leaves no file behind', () => {
  expect(statSync(`${path}.probe`, { throwIfNoEntry: false })).toBeUndefined();
});
