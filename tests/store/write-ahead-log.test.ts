import fs, { mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { openStore } from '../../server/store/open.ts';
import { mayPassLater } from '../../server/store/transaction.ts';
import { openWriteAheadLog, type WriteAheadLog } from '../../server/store/write-ahead-log.ts';
import { newUrl, opened } from '../support/started.ts';
import { application } from './samples.ts';

/** The writes to disk that have begun, in order. Each ends when the test calls it. */
const begun: ((error: Error | null) => void)[] = [];

beforeEach(() => {
  begun.length = 0;
  const write = vi.spyOn(fs, 'fdatasync').mockImplementation((_, done) => void begun.push(done));
  syncBuiltinESMExports();
  onTestFinished(() => {
    write.mockRestore();
    syncBuiltinESMExports();
  });
});

function newLog(): WriteAheadLog {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  const path = join(folder, 'ridehail.db');
  const database = new Libsql(path);
  database.exec('pragma journal_mode = wal; create table numbers (number)');
  const log = openWriteAheadLog(path);
  onTestFinished(async () => {
    for (const end of begun) end(null);
    await log.close();
    database.close();
    rmSync(folder, { recursive: true });
  });
  return log;
}

/** Whether a promise has settled by the end of the current turn. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => {
    settled = true;
  };
  promise.then(note, note);
  await new Promise(setImmediate);
  return settled;
}

test('commits share the next write to disk, and do not rely on one that had already begun', async () => {
  const log = newLog();
  const first = log.flushed();
  const later = [log.flushed(), log.flushed(), log.flushed()];
  expect(begun).toHaveLength(1);
  begun[0]!(null);
  await first;
  expect(await isSettled(Promise.race(later))).toBe(false);
  expect(begun).toHaveLength(2);
  begun[1]!(null);
  await Promise.all(later);
  expect(await isSettled(log.flushed())).toBe(false);
  expect(begun).toHaveLength(3);
});

test('after a failed write, all further ones fail until a restart, and a client may try again', async () => {
  const log = newLog();
  const [first, next] = [log.flushed(), log.flushed()];
  begun[0]!(new Error('EIO: i/o error, fdatasync'));
  const error = await first.catch((reason: unknown) => reason);
  expect(String(error)).toMatch(/Cannot write .*ridehail\.db to disk, restart the server: EIO/);
  expect(mayPassLater(error)).toBe(true);
  await expect(next).rejects.toBe(error);
  await expect(log.flushed()).rejects.toBe(error);
  expect(log.flush).toThrow(error as Error);
  expect(log.assertSound).toThrow(error as Error);
  expect(begun).toHaveLength(1);
});

test('a transaction resolves when it is on disk, and other calls continue meanwhile', async () => {
  const store = await opened(openStore(await newUrl('sqlite')));
  const insert = (id: string) => store.transaction((tx) => insertApplicationIfAbsent(tx, application({ id })));
  const [first, second] = [insert('a'), insert('b')];
  await vi.waitFor(() => expect(begun).toHaveLength(1));
  await store.ping();
  expect(await isSettled(Promise.race([first, second]))).toBe(false);
  begun[0]!(null);
  await vi.waitFor(() => expect(begun).toHaveLength(2));
  begun[1]!(null);
  expect(await Promise.all([first, second])).toEqual([true, true]);
});

test('a write outside a transaction is on disk when it resolves', async () => {
  const store = await opened(openStore(await newUrl('sqlite')));
  const write = vi.spyOn(fs, 'fdatasyncSync');
  syncBuiltinESMExports();
  onTestFinished(() => {
    write.mockRestore();
    syncBuiltinESMExports();
  });
  await insertApplicationIfAbsent(store.db, application());
  expect(write).toHaveBeenCalled();
});

test('a server whose disk failed a write reports that it is not ready', async () => {
  const store = await opened(openStore(await newUrl('sqlite')));
  const write = store.transaction((tx) => insertApplicationIfAbsent(tx, application()));
  await vi.waitFor(() => expect(begun).toHaveLength(1));
  begun[0]!(new Error('EIO: i/o error, fdatasync'));
  await expect(write).rejects.toMatchObject({ code: 'SQLITE_IOERR_FSYNC' });
  await expect(store.ping()).rejects.toMatchObject({ code: 'SQLITE_IOERR_FSYNC' });
});
