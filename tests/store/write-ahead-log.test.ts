import fs, { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findApplication, insertApplicationIfAbsent } from '../../server/store/applications.ts';
import { claimDueTimers } from '../../server/store/due-timers.ts';
import { type OpenStore, openStore } from '../../server/store/engine/open.ts';
import { openWriteAheadLog, type WriteAheadLog } from '../../server/store/engine/write-ahead-log.ts';
import { mayPassLater } from '../../server/store/transaction.ts';
import { newUrl, opened } from '../support/started.ts';
import { failureOf } from './meeting.ts';
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

/** Commits, and waits for the disk. */
function commit(log: WriteAheadLog): Promise<void> {
  log.noteCommit();
  return log.flushed();
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
  const first = commit(log);
  const sameWrite = log.flushed();
  const later = [commit(log), commit(log), commit(log)];
  expect(begun).toHaveLength(1);
  begun[0]!(null);
  await Promise.all([first, sameWrite]);
  expect(await isSettled(Promise.race(later))).toBe(false);
  expect(begun).toHaveLength(2);
  begun[1]!(null);
  await Promise.all(later);
  await log.flushed();
  expect(begun).toHaveLength(2);
});

test('closing waits for all writes that are due, and can be done twice', async () => {
  const log = newLog();
  const [first, next] = [commit(log), commit(log)];
  const closing = log.close();
  begun[0]!(null);
  await first;
  expect(await isSettled(closing)).toBe(false);
  begun[1]!(null);
  await Promise.all([next, closing, log.close()]);
});

describe('a store', () => {
  let url: string;
  let store: OpenStore;
  beforeEach(async () => {
    url = await newUrl('sqlite');
    store = await opened(openStore(url));
  });
  const insert = (id: string) => store.transaction((tx) => insertApplicationIfAbsent(tx, application({ id })));

  const insertByItself = (id: string) => insertApplicationIfAbsent(store.db, application({ id }));
  test.each([
    ['a transaction', insert],
    ['a write outside a transaction', insertByItself],
  ])('responds to %s when it is on disk, and to other calls meanwhile', async (_, write) => {
    const writes = ['a', 'b', 'c'].map(write);
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    await store.ping();
    if (write === insertByItself) expect((await findApplication(store.db, 'c'))?.id).toBe('c');
    expect(await isSettled(Promise.race(writes))).toBe(false);
    begun[0]!(null);
    await vi.waitFor(() => expect(begun).toHaveLength(2));
    begun[1]!(null);
    expect(await Promise.all(writes)).toEqual([true, true, true]);
    expect(begun).toHaveLength(2);
  });

  test('responds to a transaction without changes when earlier commits are on disk', async () => {
    const first = insert('a');
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    const again = insert('a');
    expect(await isSettled(again)).toBe(false);
    begun[0]!(null);
    expect(await Promise.all([first, again])).toEqual([true, false]);
    expect(begun).toHaveLength(1);
  });

  test('writes nothing to disk if no row changes', async () => {
    const claim = { worldId: 'live', realNow: 0, leaseMs: 1, limit: 1 };
    await claimDueTimers(store.db, claim);
    expect(await store.transaction((tx) => claimDueTimers(tx, claim))).toEqual([]);
    expect(begun).toEqual([]);
  });

  test('whose disk failed is not ready and commits nothing until it is opened again', async () => {
    const [write, next] = ['a', 'b'].map((id) => failureOf(insert(id)));
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    begun[0]!(new Error('EIO: i/o error, fdatasync'));
    const error = await write;
    expect(String(error)).toMatch(/Cannot write .*ridehail\.db to disk\. Restart the server\. The error: EIO/);
    expect(mayPassLater(error)).toBe(true);
    const further = [() => store.ping(), () => insert('c'), () => insertByItself('d')];
    const errors = [error, await next, ...(await Promise.all(further.map((call) => failureOf(call()))))];
    for (const each of errors) expect(each).toMatchObject({ code: 'SQLITE_IOERR_FSYNC' });
    expect(begun).toHaveLength(1);
    await store.close();
    store = await opened(openStore(url));
    const there = await Promise.all(['a', 'c', 'd'].map((id) => findApplication(store.db, id)));
    expect(there.map((found) => found?.id)).toEqual(['a', undefined, undefined]);
  });
});

test('a link to a file that does not exist yet creates the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'volume'));
  symlinkSync(join(folder, 'volume', 'ridehail.db'), join(folder, 'link.db'));
  const store = await opened(openStore(`file:${folder}/link.db`));
  const write = insertApplicationIfAbsent(store.db, application());
  await vi.waitFor(() => expect(begun).toHaveLength(1));
  begun[0]!(null);
  await write;
  expect(existsSync(join(folder, 'volume', 'ridehail.db'))).toBe(true);
});
